"""Control groups: the folders in which Linux states how much memory and processor time a process may use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

MEMBERSHIP = Path("/proc/self/cgroup")
MOUNTED = Path("/sys/fs/cgroup")


def group_folders(controller: str, membership: Path, mounted: Path) -> Iterator[Path]:
    """The folders of the control groups in `membership` (such as /proc/self/cgroup) that a controller may limit, and of
    those that contain them: first those of version 2, then those of version 1. The groups are folders below `mounted`;
    in a container, whose groups may have other names outside, `mounted` itself is the container's group."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        lines = []
    groups = {"": "/", controller: "/"}  # by controller; version 2 has one tree for all of them, under no name
    for _, controllers, group in (fields for line in lines if len(fields := line.split(":", 2)) == 3):
        groups.update(dict.fromkeys(controllers.split(","), group))
    for root, group in ((mounted, groups[""]), (mounted / controller, groups[controller])):
        inside = PurePosixPath(*(part for part in PurePosixPath(group).parts if part not in ("/", "..")))
        yield from (root / folder for folder in (inside, *inside.parents))
