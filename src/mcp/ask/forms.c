/* forms.c - a short list of shapes. A server has as many forms as its handlers declare. */
#include "mcp/ask/forms.h"

#include "base/memory.h"
#include "rows/bind.h"
#include "rows/emit.h"

struct tn_form {
    struct tn_form *next;
    tenon_rows_fn   rows;
    tenon_shape    *shape;
};

static struct tn_form *forms_find(const tenon_server *server, tenon_rows_fn rows)
{
    struct tn_form *form = server->forms;

    while (form && form->rows != rows)
        form = form->next;
    return form;
}

static struct tn_form *forms_make(tenon_server *server, tenon_rows_fn rows)
{
    struct tn_form *form = tn_memory_new(&server->memory, sizeof *form);

    if (!form)
        return NULL;
    *form = (struct tn_form){ .next  = server->forms,
                              .rows  = rows,
                              .shape = tenon_shape_new(rows(), &server->memory) };
    if (form->shape) {
        server->forms = form;
        return form;
    }
    tn_memory_free(&server->memory, form, sizeof *form);
    return NULL;
}

const tenon_shape *tn_forms_shape(tenon_server *server, tenon_rows_fn rows)
{
    struct tn_form *form;

    pthread_mutex_lock(&server->lock);
    form = forms_find(server, rows);
    if (!form)
        form = forms_make(server, rows);
    pthread_mutex_unlock(&server->lock);
    if (!form)
        return NULL;
    if (!tenon_shape_error(form->shape))
        return form->shape;
    tn_log_line(&server->log, LOG_ERROR, "%s", tenon_shape_error(form->shape));
    return NULL;
}

const char *tn_forms_schema(tenon_call *call, const tenon_shape *shape)
{
    struct tn_buf out;

    tn_buf_init(&out, &call->arena, 256, SCHEMA_LEN_MAX);
    tn_emit_object(&out, shape->object, &(struct tn_emit_how){ .form = TENON_SCHEMA_FULL });
    return tn_buf_end(&out) ? out.at : "{}";
}

const void *tn_forms_bind(tenon_call *call, const tenon_shape *shape, yyjson_val *content)
{
    struct tn_judge judge = call->judge;
    const void     *bound;

    tn_judge_clear(&judge);
    judge.unknown     = TENON_UNKNOWN_IGNORE;
    judge.strict      = false;
    judge.destructive = false;
    judge.check_utf8  = true;
    bound             = yyjson_is_obj(content) ? tn_bind_args(&judge, shape->object, content) : NULL;
    return judge.issues.total > 0 ? NULL : bound;
}

void tn_forms_free(tenon_server *server)
{
    while (server->forms) {
        struct tn_form *form = server->forms;

        server->forms = form->next;
        tenon_shape_free(form->shape);
        tn_memory_free(&server->memory, form, sizeof *form);
    }
}
