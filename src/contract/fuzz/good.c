/* good.c - writes values and keeps those that are valid. */
#include "contract/fuzz/good.h"

#include "base/clock.h"
#include "contract/values.h"
#include "contract/view.h"
#include "document/document.h"
#include "json/read.h"

#define EACH_MAX    ((size_t)400) /* variations of each way */
#define MIXED_TRIES ((size_t)200)
#define LEN_MAX     ((size_t)32 << 10)
#define SCRATCH_MAX ((size_t)64 << 20)
#define TIME_MS     2000         /* for all of it: a schema may make each try very slow */
#define FULL_ENOUGH ((size_t)20) /* variations that are compared once one was found */

struct hunt {
    const tenon_schema *schema;
    tenon_verdict      *verdict;
    struct tn_arena    *arena; /* of what is kept */
    struct tn_arena     scratch;
    struct tn_buf       out;
    yyjson_val         *value; /* of the text that was written */
    int64_t             until_ms;
};

static int64_t now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

static void begin(struct hunt *hunt)
{
    tn_arena_reset(&hunt->scratch);
    tn_buf_init(&hunt->out, &hunt->scratch, 256, LEN_MAX);
}

static bool is_good(struct hunt *hunt)
{
    static const struct tn_json_limits limits = { LEN_MAX, 60, 20000 };
    struct tn_slice                    text   = tn_buf_slice(&hunt->out);
    struct tn_json_text                read;

    if (hunt->out.failed || text.len == 0)
        return false;
    read        = tn_json_read(&hunt->scratch, text.at, text.len, &limits);
    hunt->value = read.root;
    return read.fault == JSON_FINE && !read.bad_utf8 && yyjson_is_obj(read.root) &&
           tenon_verdict_flag(hunt->verdict, text.at, text.len);
}

static struct tn_slice keep(struct hunt *hunt)
{
    const char *copy = tn_arena_copy(hunt->arena, hunt->out.at, hunt->out.len);

    return copy ? (struct tn_slice){ copy, hunt->out.len } : (struct tn_slice){ NULL, 0 };
}

/* Members, wherever they are; of lists only those of the first item count. */
static size_t count_inner(yyjson_val *value)
{
    size_t      sum = 0, i, count;
    yyjson_val *key, *member;

    if (yyjson_is_arr(value))
        return count_inner(yyjson_arr_get_first(value));
    if (!yyjson_is_obj(value))
        return 0;
    yyjson_obj_foreach(value, i, count, key, member) sum += 1 + count_inner(member);
    return sum;
}

/* Names that no schema declares are no parameters. */
static size_t count_members(const struct hunt *hunt, size_t way)
{
    struct tn_view view = tn_view_of(hunt->schema->node, way, false);
    size_t         sum  = 0, i, count;
    yyjson_val    *key, *member;

    yyjson_obj_foreach(hunt->value, i, count, key,
                       member) for (size_t j = 0; j < view.count;
                                    j++) if (view.at[j]->schema->object &&
                                             tn_view_property(view.at[j]->schema->object, yyjson_get_str(key),
                                                              yyjson_get_len(key)))
    {
        sum += 1 + count_inner(member);
        break;
    }
    return sum;
}

static void find_edges(struct hunt *hunt, struct tn_good *good)
{
    size_t most = 0, compared = 0;

    for (size_t way = 0; way < VALUES_WAYS_MAX; way++)
        for (size_t nth = 0; nth < EACH_MAX && compared < FULL_ENOUGH && now_ms() < hunt->until_ms; nth++) {
            size_t members;

            begin(hunt);
            if (!tn_values_write(&hunt->out, hunt->schema->node, NULL, way, nth))
                break;
            if (!is_good(hunt))
                continue;
            compared++;
            members = count_members(hunt, way);
            if (!good->plain.at)
                good->plain = keep(hunt);
            if (!good->full.at || members > most) {
                good->full = keep(hunt);
                good->way  = way;
                most       = members;
            }
        }
}

static bool is_kept(const struct tn_good *good, const struct tn_buf *out)
{
    for (size_t i = 0; i < good->mixed_count; i++)
        if (tn_slice_same(good->mixed[i], tn_buf_slice(out)))
            return true;
    return tn_slice_same(good->plain, tn_buf_slice(out)) || tn_slice_same(good->full, tn_buf_slice(out));
}

static void find_mixed(struct hunt *hunt, struct tn_good *good, uint64_t *seed)
{
    for (size_t i = 0; i < MIXED_TRIES && good->mixed_count < GOOD_MIXED_MAX && now_ms() < hunt->until_ms;
         i++) {
        begin(hunt);
        tn_values_mixed(&hunt->out, hunt->schema->node, NULL, seed);
        if (!is_good(hunt) || is_kept(good, &hunt->out))
            continue;
        if (!good->plain.at) {
            good->plain = good->full = keep(hunt);
            continue;
        }
        good->mixed[good->mixed_count] = keep(hunt);
        good->mixed_count += good->mixed[good->mixed_count].at != NULL;
    }
}

bool tn_good_find(struct tn_good *good, struct tn_arena *arena, const tenon_schema *schema, uint64_t *seed)
{
    struct hunt hunt = { .schema = schema, .arena = arena, .verdict = tenon_verdict_new(schema) };

    *good         = (struct tn_good){ .way = 0 };
    hunt.until_ms = now_ms() + TIME_MS;
    tn_arena_init(&hunt.scratch, &arena->memory, SCRATCH_MAX);
    if (hunt.verdict) {
        find_edges(&hunt, good);
        find_mixed(&hunt, good, seed);
    }
    tenon_verdict_free(hunt.verdict);
    tn_arena_free(&hunt.scratch);
    return good->plain.at && good->full.at && !arena->failed;
}
