def tidy_header(text):
    return text.lower()
