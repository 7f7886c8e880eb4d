/* judge.c - judges values by schemas, a line each.
 *
 * Input: "S JSON" a schema of 2020-12 (or "D JSON" of draft-07), "I JSON" a value by the schema before it. Output, a line
 * for each: of a schema nothing or what is wrong with it; of a value "1" or "0", and the keyword of its first issue. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/schema.h>

static void judge(tenon_verdict *verdict, const char *json, size_t len)
{
    bool valid = tenon_verdict_judge(verdict, json, len);

    if (tenon_verdict_failed(verdict) || valid != (tenon_verdict_issue_count(verdict) == 0)) {
        puts("failed");
        return;
    }
    printf("%d %s\n", valid, valid ? "" : tenon_verdict_issue(verdict, 0)->text);
    if (tenon_verdict_flag(verdict, json, len) != valid)
        puts("the flag differs");
}

int main(void)
{
    tenon_schema  *schema  = NULL;
    tenon_verdict *verdict = NULL;
    char          *line    = NULL;
    size_t         room    = 0;
    ssize_t        len;

    while ((len = getline(&line, &room, stdin)) > 2) {
        const char *json = line + 2;
        size_t      size = (size_t)len - 3;

        if (line[0] == 'I' && verdict && !tenon_schema_error(schema)) {
            judge(verdict, json, size);
            continue;
        }
        if (line[0] == 'I') {
            puts("no schema");
            continue;
        }
        tenon_verdict_free(verdict);
        tenon_schema_free(schema);
        schema  = tenon_schema_new(json, size, .draft_07 = line[0] == 'D');
        verdict = schema ? tenon_verdict_new(schema) : NULL;
        if (!verdict)
            return 1;
        puts(tenon_schema_error(schema) ? tenon_schema_error(schema) : "");
    }
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    free(line);
    return 0;
}
