def round_decimal(text, places):
    return f"{float(text):.{places}f}"
