"""Other tools to compare with: each is described by an adapter, a small TOML file (docs/laboratory.md)."""
