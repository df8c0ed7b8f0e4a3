"""The few sentences the tool can say: read at a commit, call a room, plan, append. Returns values, prints nothing."""
