"""Messages that are broken, and the id that their answer must have: the one that the client waits for, whenever it is sure.

    for message, id, kind in broken.messages(broken.MODERN):
        ...

`id` is None for an answer without one. `kind` is "issue" when the answer is a result that names an argument, else "error".
"""
LEGACY = b'"_meta":{}'
MODERN = (b'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
          b'"io.modelcontextprotocol/clientCapabilities":{}}')

BEGIN = b'{"jsonrpc":"2.0",'
HALF, OTHER_HALF = rb"\ud83d", rb"\ude00"  # of an emoji


def _call(id=b"1", argument=b'"text":"x"', meta=b"", more=b"", method=b"tools/call", name=b"echo"):
    return (BEGIN + b'"id":' + id + b',"method":"' + method + b'","params":{"name":"' + name + b'","arguments":{' + argument
            + b"}," + meta + b"}" + more + b"}")


def messages(meta):
    def call(**parts):
        return _call(meta=meta, **parts)

    fine = call()
    params = b'"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},' + meta + b"}"
    return [
        # text that is not Unicode
        (call(argument=b'"text":"' + HALF + b'"'), 1, "issue"),
        (call(argument=b'"text":"a' + OTHER_HALF + b'b"'), 1, "issue"),
        (call(argument=b'"text":"' + HALF + HALF + OTHER_HALF + b'"'), 1, "issue"),
        (call(argument=b'"text":"' + HALF + rb"\n" + b'"'), 1, "issue"),
        (call(argument=b'"text":"x","' + HALF + b'":1'), 1, "issue"),
        (call(argument=b'"text":"\xff"'), 1, "issue"),
        (call(argument=b'"text":"\xed\xa0\xbd"'), 1, "issue"),
        (call(id=b'"a"', argument=b'"text":["' + HALF + b'"]'), "a", "issue"),
        (call(name=b"echo" + HALF), 1, "error"),
        (call(name=b"echo\xff"), 1, "error"),
        (call(method=b"tools/call" + OTHER_HALF), 1, "error"),
        (call(more=b',"extra":"' + HALF + b'"'), 1, "error"),
        (call(more=b',"' + HALF + b'":1'), 1, "error"),
        (fine.replace(b'"_meta":{', b'"_meta":{"progressToken":"' + HALF + b'",').replace(b",}", b"}"), 1, "error"),
        (call(id=b'"' + HALF + b'"'), None, "error"),
        (call(id=b'"\xff"'), None, "error"),
        # not JSON, from some place on
        (fine[:-1], 1, "error"),
        (fine[:-2], 1, "error"),
        (fine[:len(fine) // 2], 1, "error"),
        (fine + b"}", 1, "error"),
        (fine + b" trailing", 1, "error"),
        (b"\xef\xbb\xbf" + fine, 1, "error"),
        (call(argument=b'"text":tru'), 1, "error"),
        (call(argument=b'"text":"' + HALF + rb"\x" + b'"'), 1, "error"),
        (call(argument=b'"text":"\x01"'), 1, "error"),
        (call(id=rb'"\u0041 \"b\""', more=b","), 'A "b"', "error"),
        (call(id=b"123456789012345678901234567890", more=b","), 123456789012345678901234567890, "error"),
        (call(id=b"-7", more=b","), -7, "error"),
        (call(id=b"1.5", more=b","), 1.5, "error"),
        (BEGIN + params + b',"id":1,}', 1, "error"),
        (BEGIN + params.replace(b'"x"', b"01") + b',"id":1}', 1, "error"),
        (BEGIN + rb'"\u0069d":1,' + params + b",}", 1, "error"),
        # no id is sure
        (BEGIN + b'"id":12', None, "error"),
        (BEGIN + b'"id":"ab', None, "error"),
        (BEGIN + b'"id":"ab\\"', None, "error"),
        (BEGIN + b'"id" 12,' + params + b"}", None, "error"),
        (BEGIN + b"id:12," + params + b"}", None, "error"),
        (BEGIN + b'"id":1,' + params + b',"id":1,}', None, "error"),
        (BEGIN + b'"id":1,' + params + rb',"\u0069d":2,}', None, "error"),
        (BEGIN + b'"id":1,' + params + b',"id":1}', None, "error"),
        (BEGIN + b'"params":{"id":1},', None, "error"),
        (BEGIN + b'"params":{"id":1,', None, "error"),
        (call(id=b'"\x01"'), None, "error"),
        (call(id=b'"' + HALF + b'"', more=b","), None, "error"),
        (call(id=b"null", more=b","), None, "error"),
        (call(id=b"{}", more=b","), None, "error"),
        (call(id=b"01"), None, "error"),
        (b"[" + fine, None, "error"),
        (b'nonsense "id":1', None, "error"),
        (b'"id":1', None, "error"),
        (b'{"jsonrpc":"2.0","id":1,"result":{', None, "error"),  # ids of responses are the server's
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1},}', None, "error"),
        # JSON, but no message, or too much of one
        (fine.replace(b'"2.0"', b'"1.0"'), 1, "error"),
        (call(more=b',"method":"ping"'), 1, "error"),
        (call(more=b"".join(b',"m%d":0' % i for i in range(64))), 1, "error"),
        (call(argument=b'"text":' + b"[" * 100 + b"]" * 100), 1, "error"),
        (call(argument=b'"text":' + b"[" * 100), 1, "error"),
        (call(argument=b'"text":[' + b"0," * 210000 + b"0]"), 1, "error"),
        (BEGIN + params.replace(b'"x"', b"[" * 100 + b"]" * 100) + b',"id":1}', 1, "error"),
    ]


def check(message, id, kind, answer):
    what = f"{message[:200]}: {str(answer)[:400]}"
    assert answer.get("id") == id and ("id" in answer) == (id is not None), what
    if kind == "error":
        assert answer["error"]["code"] in (-32700, -32600, -32601) and len(answer["error"]["message"]) > 10, what
        return
    issues = answer["result"]["structuredContent"]["error"]
    assert issues["code"] == "VALIDATION_ERROR", what
