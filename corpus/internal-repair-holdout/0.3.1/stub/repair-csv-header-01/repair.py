def normalize_csv(text):
    lines = text.splitlines()
    header = [name.strip().lower() for name in lines[0].split(",")]
    return "\n".join([",".join(header)] + lines[1:]) + "\n"
