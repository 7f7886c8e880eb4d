/* import_bom.c - bills of materials: the libraries of an application, out of CycloneDX and SPDX. The application is the one that
 * was given with the file, else what the document is about, else the file's name.
 *
 * A document replaces what the same tool reported before about the same part of the application: a library that it no
 * longer has is gone, unless another document still has it. Libraries are those that programs are built from; operating
 * systems, containers, files and the like are left out, and so is what the document itself describes.
 *
 * SQLite gets one component, package or vulnerability at a time, as in import_sarif.c.
 */
#include "appsec/import.h"

/* Most that is kept of one, in characters or entries. */
#define NAME_MOST    "200"
#define PURL_MOST    "1000"
#define LICENSES_MAX 20
#define REFS_MAX     50
#define NESTED_MAX   32 /* components within components */

/* A bom-ref is unique in its document. Some tools repeat a few of them; many make the square of a document's length. */
#define SAME_REF_MOST "16"
/* Libraries with an advisory that one document may make. */
#define PAIRS_MOST "1000000"
#define TOLD_MOST  "10"  /* bom-refs that are reported */
#define SHOWN_MOST "100" /* characters of each */

/* clang-format off */
#define OF(path)        "(?1 ->> '$." path "')"
#define CUT(text, most) "substr(" text ", 1, " most ")"
#define NAME(text)      "nullif(" CUT("trim(" text ")", NAME_MOST) ", '')"
#define MS(text)        "CAST(strftime('%s', upper(" text ")) AS INTEGER) * 1000"

#define CLEAR                                                                                                \
    "DELETE FROM bom_document", "DELETE FROM bom_described", "DELETE FROM bom_parts", "DELETE FROM bom_refs", "DELETE FROM bom_flaws", \
    "DELETE FROM bom_affects"

static const char *const begin[] = {
    "CREATE TEMP TABLE IF NOT EXISTS bom_document (app TEXT, tool TEXT, about TEXT, at INTEGER, app_id INTEGER, source_id INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS bom_described (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS bom_parts (ref TEXT, name TEXT, version TEXT, purl TEXT, license TEXT, library INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS bom_refs (ref TEXT, part INTEGER, PRIMARY KEY (ref, part)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS bom_flaws (number INTEGER, id TEXT, PRIMARY KEY (number, id)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS bom_affects (number INTEGER, ref TEXT, PRIMARY KEY (number, ref)) WITHOUT ROWID",
    CLEAR,
    NULL,
};

/* What is affected by what. */
#define PAIRS " FROM bom_flaws f CROSS JOIN bom_affects a USING (number) CROSS JOIN bom_refs r ON r.ref = a.ref"

/* Before anything is joined: a component that is repeated as it is counts once. */
static const char *const judge_refs[] = {
    "INSERT INTO bom_refs SELECT ref, min(rowid) FROM bom_parts WHERE ref NOTNULL GROUP BY ref, name, version",
    "SELECT 'components: the bom-ref ' || json_quote(" CUT("ref", SHOWN_MOST) ") || ' names ' || count(*) || ' different components. It must"
    " name one; up to " SAME_REF_MOST " are imported.' FROM bom_refs GROUP BY ref HAVING count(*) > " SAME_REF_MOST " LIMIT " TOLD_MOST,
    "SELECT 'vulnerabilities: more than " PAIRS_MOST " libraries with an advisory. Split the document.' WHERE"
    " (SELECT count(*) FROM (SELECT 1" PAIRS " LIMIT " PAIRS_MOST " + 1)) > " PAIRS_MOST,
    NULL,
};

/* ?5: does the document speak of vulnerabilities? Then its word replaces what was known of its libraries. */
static const char *const end[] = {
    "INSERT INTO applications (app, name) SELECT app, app FROM bom_document WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO sources (kind, name) SELECT 1, " CUT("tool || coalesce(' of ' || about, '')", NAME_MOST) " FROM bom_document WHERE true"
    " ON CONFLICT DO NOTHING",
    "UPDATE bom_document SET app_id = (SELECT id FROM applications a WHERE a.app = bom_document.app),"
    " source_id = (SELECT id FROM sources WHERE kind = 1 AND name = " CUT("tool || coalesce(' of ' || about, '')", NAME_MOST) ")",
    "INSERT INTO seen_reports SELECT app_id, source_id, at FROM bom_document WHERE true ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
    "INSERT INTO libraries (app, name, version, license, purl, usage_known) SELECT app_id, name, version, coalesce(license, ''),"
    " coalesce(purl, ''), 0 FROM bom_parts, bom_document WHERE true ON CONFLICT DO UPDATE SET"
    " license = CASE WHEN excluded.license <> '' THEN excluded.license ELSE license END,"
    " purl = CASE WHEN excluded.purl <> '' THEN excluded.purl ELSE purl END",
    "UPDATE bom_parts SET library = (SELECT l.id FROM bom_document d CROSS JOIN libraries l WHERE l.app = d.app_id AND l.name = bom_parts.name"
    " AND l.version = bom_parts.version)",
    "INSERT INTO library_sources SELECT source_id, library FROM bom_parts, bom_document WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO seen_libraries SELECT source_id, library FROM bom_parts, bom_document WHERE true ON CONFLICT DO NOTHING",
    "DELETE FROM library_cves WHERE ?5 AND library IN (SELECT library FROM bom_parts)",
    "INSERT INTO library_cves (cve, library) SELECT f.id, p.library" PAIRS " JOIN bom_parts p ON p.rowid = r.part WHERE true"
    " ON CONFLICT DO NOTHING",
    CLEAR,
    NULL,
};

/* ---- CycloneDX --------------------------------------------------------------------------------------------------------- */

/* A name within a group, as its ecosystem writes it. */
#define FULL_NAME                                                                                            \
    "coalesce(nullif(" OF("group") ", '') || CASE WHEN " OF("purl") " LIKE 'pkg:maven/%' THEN ':' ELSE '/' END, '') || " OF("name")

/* Tools are a list until 1.4, and have components since 1.5; the first of them is the one that wrote it, or what it ran. */
static const char add_cyclonedx[] =
    "INSERT INTO bom_document (app, tool, about, at) SELECT coalesce(?6, " NAME(OF("metadata.component.name")) ", ?2),"
    " coalesce(" NAME(OF("metadata.tools[0].name")) ", (SELECT " NAME("group_concat(value ->> '$.name', ', ')")
    " FROM json_each(?1, '$.metadata.tools.components')), 'CycloneDX'), " NAME(OF("metadata.component.name")) ", coalesce("
    MS(OF("metadata.timestamp")) ", ?3)";

static const char add_component[] =
    "INSERT INTO bom_parts (ref, name, version, purl, license) SELECT coalesce(" OF("bom-ref") ", " OF("purl") "), " NAME(FULL_NAME)
    ", coalesce(" NAME(OF("version")) ", 'unknown'), CASE WHEN length(" OF("purl") ") <= " PURL_MOST " THEN " OF("purl") " END,"
    " (SELECT " NAME("group_concat(coalesce(value ->> '$.expression', value ->> '$.license.id', value ->> '$.license.name'), ', ')")
    " FROM json_each(?1, '$.licenses')) WHERE " OF("type") " IN ('library', 'framework') AND " NAME(FULL_NAME) " NOTNULL";

/* ?5 numbers them. An advisory of another catalogue names the CVE among its references. What does not concern the application
 * by its own analysis is left out. */
static const char add_flaw[] =
    "INSERT OR IGNORE INTO bom_flaws WITH ids AS (SELECT advisory(" OF("id") ") AS id UNION SELECT advisory(value ->> '$.id')"
    " FROM json_each(?1, '$.references')) SELECT ?5, id FROM ids WHERE id NOTNULL AND (id LIKE 'CVE-%' OR NOT EXISTS"
    " (SELECT 1 FROM ids WHERE id LIKE 'CVE-%')) AND coalesce(" OF("analysis.state") ", '') NOT IN"
    " ('resolved', 'resolved_with_pedigree', 'false_positive', 'not_affected')";

/* A reference from another document ends with the one that is meant. */
static const char add_affect[] =
    "INSERT OR IGNORE INTO bom_affects SELECT ?4, CASE WHEN " OF("ref") " LIKE 'urn:cdx:%#%' THEN substr(" OF("ref") ", instr(" OF("ref")
    ", '#') + 1) ELSE " OF("ref") " END WHERE EXISTS (SELECT 1 FROM bom_flaws WHERE number = ?4)";

/* ---- SPDX -------------------------------------------------------------------------------------------------------------- */

/* "Tool: npm/cli-11.19.1" is npm/cli: a new release of a tool is the same tool. Cut first: rtrim() with a set of characters takes
 * the square of their number. */
#define CREATOR     "(SELECT substr(value, 7, " NAME_MOST ") FROM json_each(?1, '$.creationInfo.creators') WHERE value LIKE 'Tool: %' LIMIT 1)"
#define LAST_HYPHEN "rtrim(" CREATOR ", replace(" CREATOR ", '-', ''))"
#define TOOL        "CASE WHEN substr(" CREATOR ", length(" LAST_HYPHEN ") + 1, 1) BETWEEN '0' AND '9' THEN rtrim(" LAST_HYPHEN ", '-') ELSE " CREATOR " END"

static const char add_spdx[] =
    "INSERT INTO bom_document (app, tool, about, at) SELECT ?6, coalesce(" NAME(TOOL) ", 'SPDX'), NULL, coalesce("
    MS(OF("creationInfo.created")) ", ?3)";

static const char add_described[] = "INSERT OR IGNORE INTO bom_described SELECT value FROM json_each(json_array(json(?1)))";

static const char add_relationship[] =
    "INSERT OR IGNORE INTO bom_described SELECT CASE " OF("relationshipType") " WHEN 'DESCRIBES' THEN " OF("relatedSpdxElement")
    " ELSE " OF("spdxElementId") " END WHERE CASE " OF("relationshipType") " WHEN 'DESCRIBES' THEN " OF("relatedSpdxElement")
    " WHEN 'DESCRIBED_BY' THEN " OF("spdxElementId") " END NOTNULL";

#define LICENSE(member) "nullif(nullif(" OF(member) ", 'NOASSERTION'), 'NONE')"

static const char add_package[] =
    "INSERT INTO bom_parts (ref, name, version, purl, license) SELECT " OF("SPDXID") ", " NAME(OF("name")) ", coalesce("
    NAME(OF("versionInfo")) ", 'unknown'), (SELECT value ->> '$.referenceLocator' FROM json_each(?1, '$.externalRefs')"
    " WHERE value ->> '$.referenceType' = 'purl' AND length(value ->> '$.referenceLocator') <= " PURL_MOST " LIMIT 1), "
    NAME("coalesce(" LICENSE("licenseConcluded") ", " LICENSE("licenseDeclared") ")") " WHERE " NAME(OF("name")) " NOTNULL"
    " AND coalesce(" OF("primaryPackagePurpose") ", '') NOT IN ('CONTAINER', 'OPERATING-SYSTEM', 'OPERATING_SYSTEM', 'FILE', 'DEVICE',"
    " 'FIRMWARE')";

static const char *const spdx_about[] = {
    "UPDATE bom_document SET about = (SELECT name FROM bom_parts WHERE ref IN (SELECT id FROM bom_described) ORDER BY name LIMIT 1)",
    "UPDATE bom_document SET app = coalesce(app, about, ?2)",
    "DELETE FROM bom_parts WHERE ref IN (SELECT id FROM bom_described)",
    NULL,
};

/* ---- What is read of each piece ---------------------------------------------------------------------------------------- */

static const struct keep name_keep[]      = { KEEP_ALL("name"), KEEP_END };
static const struct keep tools_keep[]     = { KEEP_ALL("name"), KEEP_FIRST("components", name_keep, 3), KEEP_END };
static const struct keep metadata_keep[]  = { KEEP_ALL("timestamp"), KEEP_FIRST("tools", tools_keep, 1), KEEP_INSIDE("component", name_keep), KEEP_END };
static const struct keep cyclonedx_keep[] = { KEEP_INSIDE("metadata", metadata_keep), KEEP_END };
static const struct keep license_keep[]   = { KEEP_ALL("id"), KEEP_ALL("name"), KEEP_END };
static const struct keep licenses_keep[]  = { KEEP_ALL("expression"), KEEP_INSIDE("license", license_keep), KEEP_END };
static const struct keep component_keep[] = {
    KEEP_ALL("type"), KEEP_ALL("name"), KEEP_ALL("group"), KEEP_ALL("version"), KEEP_ALL("bom-ref"), KEEP_ALL("purl"),
    KEEP_FIRST("licenses", licenses_keep, LICENSES_MAX), KEEP_END,
};
static const struct keep id_keep[]       = { KEEP_ALL("id"), KEEP_END };
static const struct keep analysis_keep[] = { KEEP_ALL("state"), KEEP_END };
static const struct keep flaw_keep[]     = { KEEP_ALL("id"), KEEP_FIRST("references", id_keep, REFS_MAX), KEEP_INSIDE("analysis", analysis_keep), KEEP_END };
static const struct keep affect_keep[]   = { KEEP_ALL("ref"), KEEP_END };

static const struct keep creation_keep[]     = { KEEP_ALL("created"), KEEP_FIRST("creators", NULL, REFS_MAX), KEEP_END };
static const struct keep spdx_keep[]         = { KEEP_INSIDE("creationInfo", creation_keep), KEEP_END };
static const struct keep relationship_keep[] = { KEEP_ALL("spdxElementId"), KEEP_ALL("relationshipType"), KEEP_ALL("relatedSpdxElement"), KEEP_END };
static const struct keep external_keep[]     = { KEEP_ALL("referenceType"), KEEP_ALL("referenceLocator"), KEEP_END };
static const struct keep package_keep[]      = {
    KEEP_ALL("name"), KEEP_ALL("SPDXID"), KEEP_ALL("versionInfo"), KEEP_ALL("licenseConcluded"), KEEP_ALL("licenseDeclared"),
    KEEP_ALL("primaryPackagePurpose"), KEEP_FIRST("externalRefs", external_keep, REFS_MAX), KEEP_END,
};
/* clang-format on */

/* ---- Piece by piece ---------------------------------------------------------------------------------------------------- */

struct bom {
    struct importing    *importing;
    struct import_values values;
    struct text          kept; /* of one piece */
};

static bool take(struct bom *bom, struct statement *statement, struct piece piece, const struct keep *keeps)
{
    text_clear(&bom->kept);
    piece_keep(&bom->kept, piece, keeps);
    if (bom->kept.failed)
        return import_out_of_memory(bom->importing);
    bom->values.json = (struct piece){ text_of(&bom->kept), bom->kept.len };
    return import_run(bom->importing, statement, &bom->values);
}

static bool take_one(struct bom *bom, const char *statement, struct piece piece, const struct keep *keeps)
{
    struct statement *prepared = import_prepare(bom->importing, statement);

    return prepared && take(bom, prepared, piece, keeps);
}

static bool take_list(struct bom *bom, const char *statement, struct piece list, const struct keep *keeps)
{
    struct statement *prepared = import_prepare(bom->importing, statement);
    bool              good     = prepared != NULL;
    struct piece      piece;

    while (good && piece_next(&list, &piece))
        good = take(bom, prepared, piece, keeps);
    return good;
}

/* Components within components; those that are too deep are left out. */
static bool take_components(struct bom *bom, struct statement *statement, struct piece list, int depth)
{
    struct piece piece;
    bool         good = true;

    while (good && depth < NESTED_MAX && piece_next(&list, &piece))
        good = take(bom, statement, piece, component_keep) &&
               take_components(bom, statement, piece_member(piece, "components"), depth + 1);
    return good;
}

static bool take_all_components(struct bom *bom, struct piece list)
{
    struct statement *statement = import_prepare(bom->importing, add_component);

    return statement && take_components(bom, statement, list, 0);
}

/* Each with its number; what it affects may be as long as the document. */
static bool take_flaws(struct bom *bom, struct piece list)
{
    struct statement *flaw = import_prepare(bom->importing, add_flaw);
    struct piece      piece;
    bool              good = flaw != NULL;

    for (bom->values.second = 0; good && piece_next(&list, &piece); bom->values.second++) {
        good              = take(bom, flaw, piece, flaw_keep);
        bom->values.first = bom->values.second;
        good              = good && take_list(bom, add_affect, piece_member(piece, "affects"), affect_keep);
    }
    return good;
}

bool cyclonedx_store(struct importing *importing, const struct import_values *values)
{
    struct bom   bom   = { .importing = importing, .values = *values };
    struct piece flaws = piece_member(values->json, "vulnerabilities");
    bool         good  = import_run_all(importing, begin, values) &&
                take_one(&bom, add_cyclonedx, values->json, cyclonedx_keep) &&
                take_all_components(&bom, piece_member(values->json, "components")) &&
                take_flaws(&bom, flaws) && import_run_all(importing, judge_refs, values);

    bom.values.second = flaws.len > 0;
    if (good && import_is_fine(importing))
        good = import_run_all(importing, end, &bom.values);
    text_free(&bom.kept);
    return good;
}

bool spdx_store(struct importing *importing, const struct import_values *values)
{
    struct bom bom  = { .importing = importing, .values = *values };
    bool       good = import_run_all(importing, begin, values) &&
                take_one(&bom, add_spdx, values->json, spdx_keep) &&
                take_list(&bom, add_described, piece_member(values->json, "documentDescribes"), NULL) &&
                take_list(&bom, add_relationship, piece_member(values->json, "relationships"),
                          relationship_keep) &&
                take_list(&bom, add_package, piece_member(values->json, "packages"), package_keep) &&
                import_run_all(importing, spdx_about, values);

    bom.values.second = 0;
    good              = good && import_run_all(importing, end, &bom.values);
    text_free(&bom.kept);
    return good;
}
