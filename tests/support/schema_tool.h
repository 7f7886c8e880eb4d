/* schema_tool.h - tools that JSON Schema documents declare, for servers under test: one with every kind of parameter. */
#ifndef SUPPORT_SCHEMA_TOOL_H
#define SUPPORT_SCHEMA_TOOL_H

#include <tenon/tenon.h>

static inline tenon_outcome by_schema(tenon_call *call, const tenon_json *args)
{
    tenon_text(call, "%zu arguments", tenon_json_count(args));
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(by_schema, TENON_INFO("Take what the schema allows."),
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
    "\"mode\":{\"enum\":[\"fast\",\"slow\",\"x\"]},"
    "\"mixed\":{\"enum\":[\"one\",2,null,[3],{\"four\":5}]},"
    "\"fixed\":{\"const\":\"this\"},"
    "\"text\":{\"type\":\"string\",\"minLength\":2,\"pattern\":\"^(?:[a-z]|-)+$\"},"
    "\"day\":{\"type\":\"string\",\"format\":\"date\"},"
    "\"count\":{\"type\":\"integer\",\"minimum\":3,\"maximum\":9},"
    "\"ratio\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.5},"
    "\"flag\":{\"type\":\"boolean\"},"
    "\"list\":{\"type\":\"array\",\"items\":{\"enum\":[\"a\",\"b\"]},\"minItems\":2,\"uniqueItems\":true},"
    "\"inner\":{\"type\":\"object\",\"properties\":{\"mode\":{\"enum\":[\"up\",\"down\"]}},\"required\":[\"mode\"]},"
    "\"map\":{\"type\":\"object\",\"additionalProperties\":{\"enum\":[\"on\",\"off\"]},"
    "\"propertyNames\":{\"enum\":[\"left\",\"right\"]}},"
    "\"pin\":{\"type\":\"string\",\"writeOnly\":true,\"maxLength\":4},"
    "\"headers\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\",\"maxLength\":4}},"
    "\"either\":{\"anyOf\":[{\"enum\":[\"all\",\"none\"]},{\"type\":\"integer\",\"minimum\":100}]}}}");

static inline tenon_outcome numbers(tenon_call *call, const tenon_json *args)
{
    return by_schema(call, args);
}

TENON_SCHEMA_TOOL(numbers, TENON_INFO("Take numbers."),
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}");

static inline tenon_outcome hard(tenon_call *call, const tenon_json *args)
{
    return by_schema(call, args);
}

TENON_SCHEMA_TOOL(hard, TENON_INFO("Take what is hard to match."),
    "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(a+)+$\"}}}}");

#endif
