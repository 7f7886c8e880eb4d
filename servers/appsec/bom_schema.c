/* bom_schema.c - what a bill of materials must be: CycloneDX and SPDX, as far as import_bom.c reads them. */
#include "appsec/import.h"
#include "appsec/json_text.h"

/* clang-format off */
const char *const cyclonedx_schema[] = {
    JSON_TEXT({ "type": "object", "required": ["bomFormat", "specVersion"], "properties": {
        "bomFormat":   { "const": "CycloneDX" },
        "specVersion": { "enum": ["1.4", "1.5", "1.6"] },
        "metadata":    { "type": "object", "properties": {
            "timestamp": { "type": "string", "format": "date-time" },
            "tools":     { "type": ["array", "object"], "items": { "$ref": "#/$defs/tool" }, "properties": {
                "components": { "type": "array", "items": { "$ref": "#/$defs/tool" } } } },
            "component": { "$ref": "#/$defs/component" } } },
        "components":      { "type": "array", "items": { "$ref": "#/$defs/component" } },
        "vulnerabilities": { "type": "array", "items": { "$ref": "#/$defs/vulnerability" } } },
    "$defs": {
        "text":      { "type": "string" },
        "tool":      { "type": "object", "properties": { "name": { "$ref": "#/$defs/text" } } },
        "component": { "type": "object", "required": ["type", "name"], "properties": {
            "type": { "$ref": "#/$defs/text" }, "name": { "type": "string", "minLength": 1 },
            "group": { "$ref": "#/$defs/text" }, "version": { "$ref": "#/$defs/text" },
            "bom-ref": { "$ref": "#/$defs/text" }, "purl": { "$ref": "#/$defs/text" },
            "licenses": { "type": "array", "items": { "type": "object", "properties": {
                "expression": { "$ref": "#/$defs/text" }, "license": { "type": "object", "properties": {
                    "id": { "$ref": "#/$defs/text" }, "name": { "$ref": "#/$defs/text" } } } } } },
            "components": { "type": "array", "items": { "$ref": "#/$defs/component" } } } },
        "vulnerability": { "type": "object", "properties": {
            "id": { "$ref": "#/$defs/text" },
            "references": { "type": "array", "items": { "type": "object", "properties": { "id": { "$ref": "#/$defs/text" } } } },
            "analysis": { "type": "object", "properties": { "state": { "$ref": "#/$defs/text" } } },
            "affects": { "type": "array", "items": { "type": "object", "required": ["ref"], "properties": {
                "ref": { "$ref": "#/$defs/text" } } } } } } } }),
    NULL,
};

const char *const spdx_schema[] = {
    JSON_TEXT({ "type": "object", "required": ["spdxVersion", "SPDXID", "name"], "properties": {
        "spdxVersion":  { "enum": ["SPDX-2.2", "SPDX-2.3"] },
        "SPDXID":       { "$ref": "#/$defs/text" },
        "name":         { "$ref": "#/$defs/text" },
        "creationInfo": { "type": "object", "properties": {
            "created":  { "type": "string", "format": "date-time" },
            "creators": { "type": "array", "items": { "$ref": "#/$defs/text" } } } },
        "documentDescribes": { "type": "array", "items": { "$ref": "#/$defs/text" } },
        "relationships": { "type": "array", "items": { "type": "object", "properties": {
            "spdxElementId": { "$ref": "#/$defs/text" }, "relationshipType": { "$ref": "#/$defs/text" },
            "relatedSpdxElement": { "$ref": "#/$defs/text" } } } },
        "packages": { "type": "array", "items": { "type": "object", "required": ["name", "SPDXID"], "properties": {
            "name": { "type": "string", "minLength": 1 }, "SPDXID": { "$ref": "#/$defs/text" },
            "versionInfo": { "$ref": "#/$defs/text" }, "licenseConcluded": { "$ref": "#/$defs/text" },
            "licenseDeclared": { "$ref": "#/$defs/text" }, "primaryPackagePurpose": { "$ref": "#/$defs/text" },
            "externalRefs": { "type": "array", "items": { "type": "object", "properties": {
                "referenceType": { "$ref": "#/$defs/text" }, "referenceLocator": { "$ref": "#/$defs/text" } } } } } } } },
    "$defs": { "text": { "type": "string" } } }),
    NULL,
};
