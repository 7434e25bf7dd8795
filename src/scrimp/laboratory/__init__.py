"""The laboratory: many searches, each in a process of its own, and comparisons of them.

    method, task ── campaign ──▶ runs (journal) ── bench, experiments, advice ──▶ tables, figures, pages

A *task* is a search to carry out, a *run* is its outcome. Runs are recorded as they finish, so that none is lost or
repeated, even after an interruption.
"""
