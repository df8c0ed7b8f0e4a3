"""The one contract between suites and everything that records, resumes, verifies and weighs them.

A suite is pure: it asks (`Ask`), orders work (`Execute`) and finishes (`Done`); the engine performs, the journal
records, resume replays the recorded events. See `suite.Suite`, `steps` and `summary`.
"""
