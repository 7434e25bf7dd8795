"""Numbers as people read them."""

from __future__ import annotations


def count(number: int) -> str:
    """`1,234,567`."""
    return f"{number:,}"


def counted(number: int, noun: str) -> str:
    """`1 state`, `2 states`, `3 processes`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith('s') else 's'}"


def estimate(number: float) -> str:
    """`1,234`, `3.2`, `2.7e-06`."""
    return f"{number:,.0f}" if number >= 99.5 else f"{number:.2g}"


def rough(number: float) -> str:
    """`870`, `12 k`, `3.4 M`: a number that is not known well."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= 0.9995 * size:
            return f"{number / size:.2g}{unit}" if number < 99.5 * size else f"{number / size:.0f}{unit}"
    return f"{number:.2g}" if number < 99.5 else f"{number:.0f}"


def rough_range(least: float, most: float) -> str:
    """`2.5–6 M`, `900 k–1.2 M`: one number if both look alike."""
    first, last = rough(least), rough(most)
    if first == last:
        return first
    unit = last.partition(" ")[2]
    return f"{first.removesuffix(' ' + unit) if unit else first}–{last}"


def rough_time(least: float, most: float) -> str:
    """`under 1 s`, `5–20 s`, `1–4 min`, `2–7 h`, `3–40 days`."""
    if most < 1:
        return "under 1 s"
    sizes = ((86400, "days"), (3600, "h"), (60, "min"), (1, "s"))
    size, unit = next(each for each in sizes if most >= 2 * each[0] or each[0] == 1)
    first, last = max(least / size, 0), most / size
    low = f"{first:.0f}" if first >= 1 else "0" if first < 0.05 else f"{first:.1g}"
    high = f"{last:.0f}"
    return f"{high} {unit}" if low == high else f"{low}–{high} {unit}"


def part(number: int, whole: int) -> str:
    """`37%`, `4.2%`, `under 0.1%`."""
    percent = 100 * number / whole
    if percent < 0.1:
        return "under 0.1%"
    return f"{percent:.1f}%" if percent < 9.95 else f"{percent:.0f}%"


def rate(per_second: float) -> str:
    """`4.1 M/s`."""
    for size, unit in ((1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s")):
        if per_second >= size:
            return f"{per_second / size:.1f} {unit}"
    return f"{per_second:.0f} /s"


def amount(number_of_bytes: float) -> str:
    """`95.3 MiB`."""
    for size, unit in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if number_of_bytes >= size:
            return f"{number_of_bytes / size:.1f} {unit}"
    return f"{number_of_bytes:.0f} bytes"


def duration(seconds: float) -> str:
    """`7 ms`, `0.42 s`, `3 min 5 s`, `2 h 10 min`."""
    whole = round(seconds)
    if seconds < 0.0995:
        return f"{seconds * 1000:.0f} ms" if seconds >= 0.00095 else "under 1 ms"
    if seconds < 59.95:
        return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
