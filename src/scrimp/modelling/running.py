"""Running: one random schedule of a model, printed step by step. `python model.py` does this."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from scrimp.modelling.declaring import Model, fields, roles
from scrimp.modelling.scheduling import Task, World
from scrimp.modelling.waiting import NotEnabled


def run(model: type[Model], *, steps: int = 50, seed: int | None = None) -> bool:
    """Run one random schedule of a model and print its steps. This is no check: `scrimp check` explores all schedules.

    Args:
        model: the class.
        steps: the most steps to make.
        seed: makes the same choices every time.

    Returns:
        Whether nothing went wrong.

    Example:
        >>> from scrimp.modelling import Model, process, run
        >>> class Hello(Model):
        ...     greeted: bool = False
        ...
        ...     @process
        ...     async def greet(self) -> None:
        ...         self.greeted = True
        >>> run(Hello)
           1  greet  greeted False → True
        every process is done
        True
    """
    chance = random.Random(seed)
    world = World(model())
    try:
        return _run(world, steps, chance)
    finally:
        world.close()


def _run(world: World, steps: int, chance: random.Random) -> bool:
    widest = max((len(task.name) for task in world.tasks), default=0)
    for number in range(1, steps + 1):
        before = fields(world.model)
        fired = _any_step(world, chance)
        if fired is None:
            return _ended(world)
        task, fault = fired
        print(f"{number:4}  {task.name:{widest}}  {_changes(before, fields(world.model))}{_place(task)}".rstrip())
        if fault is not None:
            print(fault)
            return False
        for name, message in _violated(world.model):
            print(f"{name} does not hold{message}")
            return False
    print(f"stopped after {steps} steps")
    return True


def _any_step(world: World, chance: random.Random) -> tuple[Task, object] | None:
    ready = world.ready()
    chance.shuffle(ready)
    for number in ready:
        try:
            return world.tasks[number], world.step(number, chance.randrange)
        except NotEnabled:
            continue
    return None


def _ended(world: World) -> bool:
    waiting = [task.name for task in world.tasks if not task.is_done and not task.role.daemon]
    ends = [name for name, role in roles(type(world.model)) if role.kind == "final"]
    if not waiting:
        print("every process is done")
        return True
    if any(getattr(world.model, name)() for name in ends):
        print("a final state")
        return True
    print(f"deadlock: {', '.join(waiting)} cannot move")
    return False


def _violated(model: Model) -> Iterator[tuple[str, str]]:
    for name, role in roles(type(model)):
        method: Any = getattr(model, name)
        if role.kind == "always" and not method():
            yield name, f": {method.__doc__.strip()}" if method.__doc__ else ""


def _changes(before: dict[str, object], after: dict[str, object]) -> str:
    return ", ".join(f"{name} {before[name]} → {after[name]}" for name in after if before[name] != after[name])


def _place(task: Task) -> str:
    """Where a process waits now, for those who read along."""
    frame = getattr(task.coroutine, "cr_frame", None)
    return f"  (now at line {frame.f_lineno})" if frame is not None else ""
