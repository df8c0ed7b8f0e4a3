"""The coding suite: sealed repair fixtures, surface checks, repair loops and their metric family. Pure."""
