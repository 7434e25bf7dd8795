"""The laboratory: many searches, each in a process of its own, and what can be learnt from them together.

    method, task ── campaign ──▶ runs (journal) ── bench, experiments, advice ──▶ tables, figures, pages

A *task* is one search that is wanted, a *run* what became of it. Runs are written down as they finish, so that whatever
ends the laboratory, none is lost and none is made twice.
"""
