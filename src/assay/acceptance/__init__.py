"""The acceptance suite: does an application behave as it should, and can every judgment be traced to what it said?

Pure: sources, observations and reviews in, decisions out. `suite.AcceptanceSuite` is the suite, `draft.read_draft`
reads its sources, `standing.standing` says what people's labels amount to.
"""
