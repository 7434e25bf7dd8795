"""The laboratory: many searches, each in a process of its own, and comparisons of them.

    method, task ── campaign ──▶ runs (journal) ── bench, experiments, advice ──▶ tables, figures, pages

A *task* is a search to carry out, a *run* is its outcome. Runs are written down as they finish, so that none is lost,
and none is made twice, however the laboratory ends.
"""
