"""The findings suite: frozen failures of review agents, scored offline against recorded reviewer payloads. Pure.

Start with `gold.read_gold` (one frozen failure), `coordinator.coordinate` (what the reviewers said together) and
`score.score_review` (how far the two agree).
"""
