"""The parts that changes of definitions are written with."""


def obj(properties=None, required=(), **more):
    schema = {"type": "object", "properties": properties or {}, **more}
    if required:
        schema["required"] = list(required)
    return schema


def tool(schema=None, **more):
    return {"name": "t", "description": "does it", "inputSchema": schema or obj(), **more}


def a(before, after, **both):
    """The parameter `a` before and after."""
    return tool(obj({"a": before}, **both)), tool(obj({"a": after}, **both))


TEXT, INT, NUM = {"type": "string"}, {"type": "integer"}, {"type": "number"}
BREAKING, REVIEW, SAFE, NONE = "BREAKING", "REVIEW", "SAFE", "NONE"
NODE = {"type": "object", "properties": {"v": INT, "next": {"$ref": "#/$defs/n"}}}
WIDE = {"type": "object", "properties": {"v": NUM, "next": {"$ref": "#/$defs/n"}}}


def out(before, after):
    return tool(outputSchema=before), tool(outputSchema=after)
