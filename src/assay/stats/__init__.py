"""Plain statistics over plain numbers; knows nothing of records. Every formula names its source."""
