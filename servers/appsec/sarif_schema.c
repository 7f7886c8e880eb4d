/* sarif_schema.c - what a report must be: it checks what import_sarif.c reads and ignores the rest of the standard. */
#include "appsec/import.h"
#include "appsec/json_text.h"

/* clang-format off */
const char *const sarif_schema[] = {
    JSON_TEXT({ "type": "object", "required": ["version", "runs"], "properties": {
        "version": { "const": "2.1.0" },
        "runs":    { "type": ["array", "null"], "items": { "$ref": "#/$defs/run" } } },
    "$defs": {
        "text":  { "type": "string" },
        "level": { "enum": ["none", "note", "warning", "error"] },
        "index": { "type": "integer", "minimum": -1 },
        "bag":   { "type": "object", "properties": { "tags": { "type": "array", "items": { "type": "string" } },
                   "security-severity": { "type": ["string", "number"], "pattern": "^([0-9]|10)(\\.[0-9]+)?$",
                                          "minimum": 0, "maximum": 10 },
                   "appId": { "type": "string", "minLength": 1, "maxLength": 200 } } },
        "message": { "type": "object", "properties": { "text": { "$ref": "#/$defs/text" } } },
        "taxon": { "type": "object", "properties": { "id": { "$ref": "#/$defs/text" }, "toolComponent": { "type": "object",
                   "properties": { "name": { "$ref": "#/$defs/text" } } } } },
        "rule":  { "type": "object", "required": ["id"], "properties": {
            "id": { "type": "string", "minLength": 1 }, "name": { "$ref": "#/$defs/text" },
            "helpUri": { "$ref": "#/$defs/text" },
            "shortDescription": { "$ref": "#/$defs/message" }, "fullDescription": { "$ref": "#/$defs/message" },
            "relationships": { "type": "array", "items": { "type": "object", "properties": {
                "target": { "$ref": "#/$defs/taxon" } } } },
            "defaultConfiguration": { "type": "object", "properties": { "level": { "$ref": "#/$defs/level" } } },
            "properties": { "$ref": "#/$defs/bag" } } },
        "component": { "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string", "minLength": 1 },
            "rules": { "type": "array", "items": { "$ref": "#/$defs/rule" } } } },
        "artifactLocation": { "type": "object", "properties": { "uri": { "$ref": "#/$defs/text" },
                              "index": { "$ref": "#/$defs/index" } } },
        "region": { "type": "object", "properties": { "startLine": { "type": "integer", "minimum": 1 },
                    "startColumn": { "type": "integer", "minimum": 1 }, "snippet": { "$ref": "#/$defs/message" } } },
        "location": { "type": "object", "properties": {
            "physicalLocation": { "type": "object", "properties": {
                "artifactLocation": { "$ref": "#/$defs/artifactLocation" },
                "region": { "$ref": "#/$defs/region" }, "contextRegion": { "$ref": "#/$defs/region" } } },
            "message": { "$ref": "#/$defs/message" },
            "logicalLocations": { "type": "array", "items": { "type": "object", "properties": {
                "fullyQualifiedName": { "$ref": "#/$defs/text" } } } } } },),
    JSON_TEXT(
        "result": { "type": "object", "required": ["message"], "properties": {
            "message": { "type": "object", "anyOf": [{ "required": ["text"] }, { "required": ["id"] }],
                         "properties": { "text": { "$ref": "#/$defs/text" }, "id": { "$ref": "#/$defs/text" } } },
            "ruleId": { "type": "string", "minLength": 1 }, "ruleIndex": { "$ref": "#/$defs/index" },
            "rule": { "type": "object", "properties": { "id": { "$ref": "#/$defs/text" },
                      "index": { "$ref": "#/$defs/index" } } },
            "level": { "$ref": "#/$defs/level" },
            "kind": { "enum": ["notApplicable", "pass", "fail", "review", "open", "informational"] },
            "baselineState": { "enum": ["new", "unchanged", "updated", "absent"] },
            "locations": { "type": "array", "items": { "$ref": "#/$defs/location" } },
            "partialFingerprints": { "type": "object", "additionalProperties": { "type": "string" } },
            "fingerprints": { "type": "object", "additionalProperties": { "type": "string" } },
            "taxa": { "type": "array", "items": { "$ref": "#/$defs/taxon" } },
            "codeFlows": { "type": "array", "items": { "$ref": "#/$defs/codeFlow" } },
            "suppressions": { "type": ["array", "null"], "items": { "type": "object", "properties": {
                "status": { "enum": ["accepted", "underReview", "rejected"] } } } },
            "properties": { "$ref": "#/$defs/bag" } } },
        "codeFlow": { "type": "object", "properties": { "threadFlows": { "type": "array", "items": { "type": "object",
            "properties": { "locations": { "type": "array", "items": { "type": "object", "properties": {
                "location": { "$ref": "#/$defs/location" } } } } } } } } },
        "run": { "type": "object", "required": ["tool"], "properties": {
            "tool": { "type": "object", "required": ["driver"], "properties": {
                "driver": { "$ref": "#/$defs/component" },
                "extensions": { "type": "array", "items": { "$ref": "#/$defs/component" } } } },
            "invocations": { "type": "array", "items": { "type": "object", "properties": {
                "endTimeUtc": { "type": "string", "format": "date-time" }, "executionSuccessful": { "type": "boolean" } } } },
            "automationDetails": { "type": "object", "properties": { "id": { "$ref": "#/$defs/text" },
                                   "guid": { "$ref": "#/$defs/text" } } },
            "versionControlProvenance": { "type": "array", "items": { "type": "object", "properties": {
                "repositoryUri": { "$ref": "#/$defs/text" }, "revisionId": { "$ref": "#/$defs/text" },
                "branch": { "$ref": "#/$defs/text" } } } },
            "artifacts": { "type": "array", "items": { "type": "object", "properties": {
                "location": { "$ref": "#/$defs/artifactLocation" } } } },
            "results": { "type": ["array", "null"], "items": { "$ref": "#/$defs/result" } },
            "properties": { "$ref": "#/$defs/bag" } } } } }),
    NULL,
};
