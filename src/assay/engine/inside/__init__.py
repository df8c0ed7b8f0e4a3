"""The part of the engine that runs inside the sandbox: `warden` (the warm parent), `item` (one job) and what it runs.

Standard library only, and nothing of Assay but this folder and `contract/values.py`: that is all the sandbox can see.
Nothing here decides anything; the supervisor outside reads what comes out and judges it.
"""
