/* reading.c - one document to be read. */
#include "docs/index/reading.h"

#include <stdlib.h>

#include "docs/index/parts.h"
#include "docs/source/source.h"

static size_t count_lines(const char *at, size_t len)
{
    size_t count = len > 0 && at[len - 1] != '\n' && at[len - 1] != '\r';

    for (size_t i = 0; i < len; i++)
        count += at[i] == '\n' || (at[i] == '\r' && !(i + 1 < len && at[i + 1] == '\n'));
    return count;
}

/* Its sections, by the lines of the file. */
static enum index_status cut(struct index_run *run, struct reading *reading)
{
    struct ready *ready = reading->ready;
    const char   *text  = text_of(&ready->text);

    reading->title = ready->document.title;
    if (!chunks_make(&ready->chunks, text, ready->text.len, ready->text_line) ||
        !passages_make(&reading->passages, text, ready->text.len, ready->text_line, &ready->chunks,
                       reading->title))
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    reading->at    = source_keeps_lines(source_kind_of(ready->path)) ? ready->file.at : text;
    reading->len   = reading->at == text ? ready->text.len : ready->file.len;
    reading->lines = count_lines(reading->at, reading->len);
    return INDEX_OK;
}

enum index_status reading_open(struct reading *reading, struct docs *docs, const tenon_call *call,
                               struct project *project, const char *path, bool external,
                               struct index_problem *problem)
{
    struct index_run  run;
    char              clean[FILE_PATH_MAX];
    enum index_status status;

    *reading = (struct reading){ .ready = calloc(1, sizeof *reading->ready) };
    (void)project_refresh(project);
    run_begin(&run, docs, call, project, external, problem);
    if (!reading->ready)
        return run_fail(&run, INDEX_NO_MEMORY, "out of memory");
    if (project->is_elsewhere)
        status = run_fail_elsewhere(&run);
    else if (!path_clean(path, clean) || !index_wants(project, external, clean, false) || !run.root)
        status = run_fail(&run, INDEX_NOT_FOUND, "There is no document '%s'.", path);
    else
        status = ready_read(&run, reading->ready, clean);
    if (status == INDEX_OK)
        status = ready_text(&run, reading->ready);
    if (status == INDEX_OK)
        status = cut(&run, reading);
    if (status != INDEX_OK)
        reading_close(reading);
    return status;
}

void reading_close(struct reading *reading)
{
    passages_free(&reading->passages);
    if (reading->ready)
        ready_free(reading->ready);
    free(reading->ready);
    *reading = (struct reading){ 0 };
}
