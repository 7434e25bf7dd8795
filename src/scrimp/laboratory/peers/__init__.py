"""Other tools beside scrimp: each is described by an adapter, a small TOML file (docs/laboratory.md)."""
