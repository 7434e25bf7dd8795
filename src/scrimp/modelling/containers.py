"""Containers: what the fields of a model hold besides plain values. Each belongs to one field and is never copied."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Generic, TypeVar, get_args

from scrimp.modelling.domains import Domain, domain, require_inside
from scrimp.modelling.waiting import Waiting, end_fault, turn

T = TypeVar("T")
K = TypeVar("K")


class Container:
    """Something that a field holds for good. `attach` gives it its annotation and its name."""

    def attach(self, annotation: Any, name: str) -> None:
        """Remember what the container may hold."""

    def value(self) -> object:
        """The contents, as a plain value that can be compared."""
        raise NotImplementedError


def attach_item(item: object, annotation: Any, name: str) -> Domain | None:
    """Attach an element that is a container itself; the domain of one that is a plain value."""
    if isinstance(item, Container):
        item.attach(annotation, name)
        return None
    inside = domain(annotation)
    require_inside(inside, item, name)
    return inside


def plain(item: object) -> object:
    return item.value() if isinstance(item, Container) else item


class Array(Container, Generic[T]):
    """A fixed number of elements with the indices 0 to length - 1. An initial element that is a container, such as a
    queue, is copied for each index.

    Example:
        >>> from scrimp.modelling import Array
        >>> flags: Array[bool] = Array(2, False)
        >>> flags[1] = True
        >>> list(flags)
        [False, True]
    """

    def __init__(self, length: int, initial: T) -> None:
        self._items = [copy.deepcopy(initial) for _ in range(length)]
        self._inside: Domain | None = None
        self._name = "an array"

    def attach(self, annotation: Any, name: str) -> None:
        self._name = name
        (item,) = get_args(annotation)
        for index, each in enumerate(self._items):
            self._inside = attach_item(each, item, f"{name}[{index}]")

    def value(self) -> object:
        return tuple(plain(item) for item in self._items)

    def _place(self, index: int) -> int:
        if not 0 <= index < len(self._items):
            raise IndexError(f"index {index} is outside {self._name}[{len(self._items)}]")
        return index

    def __getitem__(self, index: int) -> T:
        return self._items[self._place(index)]

    def __setitem__(self, index: int, value: T) -> None:
        require_inside(self._inside, value, f"{self._name}[{index}]")
        self._items[self._place(index)] = value

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)


class Map(Container, Generic[K, T]):
    """A value for every key of an Enum, or of the booleans.

    Example:
        >>> from enum import Enum
        >>> from scrimp.modelling import Map
        >>> Side = Enum("Side", "LEFT RIGHT")
        >>> served: Map[Side, int] = Map(Side, 0)
        >>> served[Side.LEFT] += 1
        >>> served[Side.LEFT], served[Side.RIGHT]
        (1, 0)
    """

    def __init__(self, keys: type[K], initial: T) -> None:
        found: Any = list(keys) if issubclass(keys, Enum) else [False, True]
        self._items: dict[K, T] = {key: copy.deepcopy(initial) for key in found}
        self._inside: Domain | None = None
        self._name = "a map"

    def attach(self, annotation: Any, name: str) -> None:
        self._name = name
        _, item = get_args(annotation)
        for key, each in self._items.items():
            self._inside = attach_item(each, item, f"{name}[{key}]")

    def value(self) -> object:
        return tuple(plain(item) for item in self._items.values())

    def __getitem__(self, key: K) -> T:
        return self._items[key]

    def __setitem__(self, key: K, value: T) -> None:
        require_inside(self._inside, value, f"{self._name}[{key}]")
        if key not in self._items:
            raise KeyError(key)
        self._items[key] = value

    def __len__(self) -> int:
        return len(self._items)


class Queue(Container, Generic[T]):
    """A first-in first-out queue of at most `maxsize` items, with the operations of asyncio's queue.

    Example:
        >>> from scrimp.modelling import Queue
        >>> letters: Queue[int] = Queue(2)
        >>> letters.put_nowait(7)
        >>> letters.qsize(), letters.full()
        (1, False)
    """

    def __init__(self, maxsize: int) -> None:
        if maxsize < 1:
            raise ValueError("a queue needs room for an item")
        self.maxsize = maxsize
        self._items: list[T] = []
        self._inside: Domain | None = None
        self._name = "a queue"

    def attach(self, annotation: Any, name: str) -> None:
        self._name = name
        self._inside = domain(get_args(annotation)[0])

    def value(self) -> object:
        return tuple(self._items)

    def put(self, item: T) -> Waiting[None]:
        """Wait until there is room, and append the item."""
        return Waiting(lambda: not self.full(), lambda: self.put_nowait(item))

    def get(self) -> Waiting[T]:
        """Wait until there is an item, and remove the oldest."""
        return Waiting(lambda: not self.empty(), self.get_nowait)

    def put_nowait(self, item: T) -> None:
        """Append the item; a fault if the queue is full."""
        if self.full():
            raise OverflowError(f"queue {self._name} is full")
        require_inside(self._inside, item, self._name)
        self._items.append(item)

    def get_nowait(self) -> T:
        """Remove the oldest item; a fault if there is none."""
        if not self._items:
            raise LookupError(f"queue {self._name} is empty")
        return self._items.pop(0)

    def qsize(self) -> int:
        """How many items there are."""
        return len(self._items)

    def empty(self) -> bool:
        """Whether there is no item."""
        return not self._items

    def full(self) -> bool:
        """Whether there is no room for another item."""
        return len(self._items) >= self.maxsize

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)


class Lock(Container):
    """A lock, with the operations of asyncio's lock. Any of those who wait may get it next: scrimp explores all
    orders.

    Example:
        >>> from scrimp.modelling import Lock, Model, process
        >>> class Room(Model):
        ...     door: Lock = Lock()
        ...
        ...     @process(count=2)
        ...     async def guest(self, me: int) -> None:
        ...         async with self.door:
        ...             pass
    """

    def __init__(self) -> None:
        self._is_locked = False

    def value(self) -> object:
        return self._is_locked

    def locked(self) -> bool:
        """Whether somebody holds the lock."""
        return self._is_locked

    def acquire(self) -> Waiting[bool]:
        """Wait until the lock is free, and take it."""
        return Waiting(lambda: not self._is_locked, self._take)

    def _take(self) -> bool:
        self._is_locked = True
        return True

    def release(self) -> None:
        """Free the lock; a fault if it is free."""
        if not self._is_locked:
            raise RuntimeError("Lock is not acquired.")
        self._is_locked = False

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_: object) -> None:
        self.release()


class Condition(Container):
    """A lock whose holder can wait for a notification, with the operations of asyncio's condition. A notification goes
    to those who have waited longest.

    Example:
        >>> from scrimp.modelling import Condition, Model, process
        >>> class Shelf(Model):
        ...     books: int = 0
        ...     changed: Condition = Condition()
        ...
        ...     @process
        ...     async def reader(self) -> None:
        ...         async with self.changed:
        ...             await self.changed.wait_for(lambda: self.books > 0)
        ...             self.books -= 1
        ...
        ...     @process
        ...     async def author(self) -> None:
        ...         async with self.changed:
        ...             self.books += 1
        ...             self.changed.notify()
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[int] = []
        self._woken: set[int] = set()

    def value(self) -> object:
        return self.locked(), tuple(self._waiting), tuple(sorted(self._woken))

    def locked(self) -> bool:
        """Whether somebody holds the lock."""
        return self._lock.locked()

    def acquire(self) -> Waiting[bool]:
        """Wait until the lock is free, and take it."""
        return self._lock.acquire()

    def release(self) -> None:
        """Free the lock; a fault if it is free."""
        self._lock.release()

    async def wait(self) -> bool:
        """Release the lock, wait for a notification, and take the lock again; a fault if it is free."""
        now = turn.get()
        if now is None:
            raise RuntimeError("a condition is used only in a model that runs")
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        end_fault()
        self.release()
        me = now.process
        self._waiting.append(me)
        await Waiting(lambda: me in self._woken and not self.locked(), lambda: self._woken.remove(me))
        return self._lock._take()

    async def wait_for(self, predicate: Callable[[], bool]) -> bool:
        """Wait until a predicate is true, which is evaluated at once and after each notification."""
        while not (result := predicate()):
            await self.wait()
        return result

    def notify(self, n: int = 1) -> None:
        """Wake the process that has waited longest, or so many of them; a fault if the lock is free."""
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        self._woken.update(self._waiting[: max(n, 0)])
        del self._waiting[: max(n, 0)]

    def notify_all(self) -> None:
        """Wake all processes that wait."""
        self.notify(len(self._waiting))

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_: object) -> None:
        self.release()


class Semaphore(Container):
    """A number of permits, with the operations of asyncio's bounded semaphore.

    Example:
        >>> from scrimp.modelling import Semaphore
        >>> connections = Semaphore(2)
        >>> connections.locked()
        False
    """

    def __init__(self, value: int = 1) -> None:
        if value < 1:
            raise ValueError("a semaphore needs a permit")
        self._limit = self._free = value

    def value(self) -> object:
        return self._free

    def locked(self) -> bool:
        """Whether no permit is free."""
        return self._free == 0

    def acquire(self) -> Waiting[bool]:
        """Wait until a permit is free, and take it."""

        def take() -> bool:
            self._free -= 1
            return True

        return Waiting(lambda: self._free > 0, take)

    def release(self) -> None:
        """Give a permit back; a fault if all are free."""
        if self._free >= self._limit:
            raise ValueError("BoundedSemaphore released too many times")
        self._free += 1

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_: object) -> None:
        self.release()


class Event(Container):
    """A flag that processes can wait for, with the operations of asyncio's event.

    Example:
        >>> from scrimp.modelling import Event
        >>> ready = Event()
        >>> ready.set()
        >>> ready.is_set()
        True
    """

    def __init__(self) -> None:
        self._is_set = False

    def value(self) -> object:
        return self._is_set

    def is_set(self) -> bool:
        """Whether the flag is set."""
        return self._is_set

    def set(self) -> None:
        """Set the flag."""
        self._is_set = True

    def clear(self) -> None:
        """Clear the flag."""
        self._is_set = False

    def wait(self) -> Waiting[bool]:
        """Wait until the flag is set."""
        return Waiting(lambda: self._is_set, lambda: True)
