"""The front door: parse, call one flow, print one view, exit code."""
