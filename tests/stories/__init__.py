"""Stories from end to end: the commands as a user types them, on real repositories."""
