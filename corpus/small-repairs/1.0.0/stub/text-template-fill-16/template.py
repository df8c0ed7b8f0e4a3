def render(template, values):
    text = template
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text.replace("{{", "{").replace("}}", "}")
