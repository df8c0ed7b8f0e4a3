"""What may be written down: canonical bytes, digests, pins, names, schemas and the table of kinds.

Pure: nothing here reads a clock, a repository or the environment. Start with `canonical.encode`,
`kinds.KINDS` and `problem.Problem`.
"""
