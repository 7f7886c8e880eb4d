/* types_builtin.c - schemas of front matter, as JSON text.
 *
 * Fields that are not listed are allowed: other tools read front matter too. A version may be a number, since YAML makes
 * one of 8.0.
 */
#include "docs/index/types_builtin.h"

#define TEXT  "{\"type\":\"string\",\"minLength\":1}"
#define TEXTS "{\"type\":\"array\",\"items\":" TEXT "}"

#define COMMON_REQUIRED "\"doc_type\",\"title\",\"date\",\"summary\",\"significance\""

#define COMMON                                                                                                       \
    "\"title\":" TEXT ","                                                                                            \
    "\"date\":{\"type\":\"string\",\"format\":\"date\"},"                                                            \
    "\"summary\":" TEXT ","                                                                                          \
    "\"significance\":{\"enum\":[\"architectural\",\"behavioral\",\"performance\",\"correctness\",\"convention\","   \
    "\"integration\"]},"                                                                                             \
    "\"tags\":" TEXTS ",\"related_docs\":" TEXTS ",\"supersedes\":" TEXT ","                                         \
    "\"promotion_level\":{\"enum\":[\"standard\",\"important\",\"critical\"]}"

#define BEGIN "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","

#define SCHEMA(name, required, properties)                                                                           \
    BEGIN "\"required\":[" COMMON_REQUIRED "," required "],\"properties\":{"                                         \
    "\"doc_type\":{\"enum\":[\"" name "\"]}," COMMON "," properties "}}"

const char types_common[] = BEGIN "\"required\":[" COMMON_REQUIRED "],\"properties\":{" COMMON "}}";

const struct builtin_type types_builtin[TYPES_BUILTIN] = {
    { "problem", "A problem that was solved: symptoms, root cause and solution.", "problems",
      SCHEMA("problem", "\"problem_type\",\"symptoms\",\"root_cause\",\"solution\"",
             "\"problem_type\":{\"enum\":[\"bug\",\"configuration\",\"integration\",\"performance\","
             "\"security\","
             "\"data\"]},"
             "\"symptoms\":{\"type\":\"array\",\"items\":" TEXT ",\"minItems\":1},"
             "\"root_cause\":" TEXT ",\"solution\":" TEXT) },
    { "insight", "Something learned about the product, its users or its domain.", "insights",
      SCHEMA("insight", "\"insight_type\",\"impact_area\"",
             "\"insight_type\":" TEXT ",\"impact_area\":" TEXT) },
    { "codebase", "How the code is made, and why.", "codebase",
      SCHEMA("codebase", "\"knowledge_type\",\"scope\"",
             "\"knowledge_type\":" TEXT
             ",\"scope\":{\"enum\":[\"system\",\"module\",\"component\",\"function\"]}") },
    { "tool", "How a tool or library is used, in a version of it.", "tools",
      SCHEMA("tool", "\"tool_name\",\"version\",\"knowledge_type\"",
             "\"tool_name\":" TEXT ",\"version\":{\"type\":[\"string\",\"number\"],\"minLength\":1},"
             "\"knowledge_type\":" TEXT) },
    { "style", "A convention to follow, and the reason for it.", "styles",
      SCHEMA("style", "\"style_type\",\"scope\",\"rationale\"",
             "\"style_type\":" TEXT
             ",\"scope\":{\"enum\":[\"project\",\"module\",\"team\"]},\"rationale\":" TEXT) },
};
