/* metaschema_words.h - what the built-in metaschemas have in common, as JSON text. */
#ifndef DOCUMENT_METASCHEMA_WORDS_H
#define DOCUMENT_METASCHEMA_WORDS_H

#define TEXT   "{\"type\":\"string\"}"
#define NUMBER "{\"type\":\"number\"}"
#define TRUTH  "{\"type\":\"boolean\"}"
#define LIST   "{\"type\":\"array\"}"
#define SIZE   "{\"type\":\"integer\",\"minimum\":0}"
#define REGEX  "{\"type\":\"string\",\"format\":\"regex\"}"
#define NAMES  "{\"type\":\"array\",\"items\":" TEXT ",\"uniqueItems\":true}"
#define TYPES  "[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]"
#define TYPE                                                                                                 \
    "{\"anyOf\":[{\"enum\":" TYPES "},{\"type\":\"array\",\"items\":{\"enum\":" TYPES                           \
    "},\"minItems\":1,\"uniqueItems\":true}]}"
#define BOTH "\"type\":[\"object\",\"boolean\"]"

/* `schema` is how a metaschema refers to itself. */
#define SCHEMA_LIST(schema) "{\"type\":\"array\",\"minItems\":1,\"items\":" schema "}"
#define SCHEMA_MAP(schema)  "{\"type\":\"object\",\"additionalProperties\":" schema "}"
#define DEPENDENCIES(schema)                                                                                 \
    "{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[" schema "," NAMES "]}}"

/* Definitions, for documents to refer to. `defs` is the keyword that holds them. */
#define SIZE_DEFS(defs)                                                                                      \
    "\"nonNegativeInteger\":" SIZE ",\"nonNegativeIntegerDefault0\":"                                         \
    "{\"allOf\":[{\"$ref\":\"#/" defs "/nonNegativeInteger\"},{\"default\":0}]}"
#define TYPE_DEFS "\"simpleTypes\":{\"enum\":" TYPES "},\"stringArray\":" NAMES

#endif
