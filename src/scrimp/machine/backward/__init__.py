"""Backward transitions: from a state, the states in which an event leads to it.

A state does not contain its past, but the effect of a transition can often be undone: `x = x + 1` by a subtraction, a
move by moving back, a send by removing the message. The overwritten value of a cell follows from the guard (`x == 3`),
from another cell to which it was copied, or from the location of its process; otherwise its possible values are tried
one by one.

    paths.py       the paths through an effect, as the final value of each cell, in terms of the state before
    values.py      the possible values, given the location of a process
    before.py      expressions over the state before, rewritten as expressions over the state after
    inverse.py     the state before in terms of the state after: equations solved, the rest left open
    simplify.py    the remaining tests, simplified
    work.py        a bound on the time that all this takes
    transitions.py all of this for a system: per transition, tests of a state and how many edges each stands for

The transition is executed symbolically on whatever was solved or tried: its guard and assertions must hold, and its
result must be the state after. So only edges are counted. That none is missed depends on the equations alone: every
state before satisfies them.

States before are those that fit the layout and that values.py allows. That is enough for counting references: if a
search meets a state that does not fit, it stops, restarts with wider fields, and counts again; in a search that does
not, every state fits, so no edge of it is omitted.
"""
