"""Rules over entries and history. Pure checks return Problem values and never stop at the first."""
