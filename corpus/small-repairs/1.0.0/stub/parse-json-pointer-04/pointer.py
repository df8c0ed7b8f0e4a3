def resolve(document, pointer):
    here = document
    for token in pointer.split("/")[1:]:
        token = token.replace("~0", "~").replace("~1", "/")
        if isinstance(here, list):
            here = here[int(token)]
        else:
            here = here.get(token)
    return here
