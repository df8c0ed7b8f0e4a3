"""Where evidence is written down: Git. The only room that runs git; the only way evidence is read is at a commit."""
