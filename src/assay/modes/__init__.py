"""Correctness and solution-mode diversity: five exact verifiers, their metrics, tasks and records.

Pure. Start with `grade.grade` (one answer under a named contract), `metrics` (the numbers over graded prompts) and
`contracts` (what `modebench-0.4.0` and `assay-modes-1` mean).
"""
