"""Making tasks: seeded generators for five domains and five levels, every mode count certified by enumeration.

`build.split` makes the rows of one split; `certify` enumerates the whole support of a reference and audits references
made elsewhere. Deterministic: the same level, domain, split, seed and count give the same rows.
"""
