"""Every result as rows, rounded and ordered once, one file per subject; formats only lay these out."""
