"""Backward transitions: from a state, the states in which an event leads to it.

A state does not tell what was there before, but the effect of a transition often can be undone: `x = x + 1` by a
subtraction, a move by going back, a message sent by taking it out again. What was overwritten follows from the guard
(`x == 3`), from another cell that it was copied to, or from where its process was; if nothing says so, its values are
tried one by one.

    paths.py       the ways through an effect, as what they leave in each cell, in terms of the state before
    values.py      which values are possible where a process is
    before.py      expressions over the state before, rewritten as expressions over the state after
    inverse.py     the state before in terms of the state after: equations solved, the rest left open
    simplify.py    what is left to test, made small
    work.py        how long all this may take
    transitions.py all of it for a system: per transition, tests of a state and how many edges each stands for

Whatever was solved or tried, the transition is executed on it, in symbols: its guard and assertions must hold, and what
it leaves must be what the state after holds. So nothing is counted that is no edge. That nothing is missed rests on the
equations alone: every state before satisfies them.

States before are those that the layout has room for and that values.py allows. That is enough for counting references:
where a search meets a state that does not fit, it stops, starts again with wider fields and counts again; in a
search that does not, every state fits, so that none of its edges is left out.
"""
