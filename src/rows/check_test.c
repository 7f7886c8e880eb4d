/* check_test.c - rules of a program's own: what they learn, several on one row, and naming the parameter that is wrong. */
#include <string.h>

#include "support/fault.h"
#include "support/judged.h"

static const int five = 5, seven = 7;

/* The check of the documentation: one function for many rows. */
static const char *multiple_of(tenon_check *check, const void *value)
{
    const int *factor = tenon_check_argument(check);
    int        number;

    memcpy(&number, value, sizeof number);
    if (number % *factor == 0)
        return NULL;
    tenon_check_suggest(check, tenon_check_format(check, " %d ", number - number % *factor));
    return tenon_check_format(check, "%s must be a multiple of %d, got %d", tenon_check_parameter(check),
                              *factor, number);
}

static const char *not_thirteen(tenon_check *check, const void *value)
{
    int number;

    memcpy(&number, value, sizeof number);
    return number == 13 ? tenon_check_format(check, "%s must not be 13", tenon_check_parameter(check)) : NULL;
}

static const char *tells_all(tenon_check *check, const void *value)
{
    const char *def = tenon_check_default(check);

    if (strlen(*(const char *const *)value) < 4) /* so that the row's example passes */
        return NULL;
    tenon_check_at(check, value);             /* of no use: it knows its place */
    tenon_check_suggest(check, "{not JSON}"); /* left out */
    return tenon_check_format(check, "[%s] %s %s %s %s %s", tenon_check_tool(check),
                              tenon_check_parameter(check), tenon_check_type(check),
                              tenon_check_is_required(check) ? "required" : "optional", def ? def : "none",
                              tenon_check_argument(check) ? "argument" : "bare");
}

typedef struct {
    int         seats, rows;
    const char *name;
    const char *code;
} room;

static const char *fits(tenon_check *check, const void *value)
{
    const room *args = value;
    const int  *most = tenon_check_argument(check);

    if (most && args->seats * args->rows > *most * 100) {
        tenon_check_at(check, &args->rows);
        tenon_check_suggest(check, "1");
        return tenon_check_format(check, "rows must be fewer with %d seats", args->seats);
    }
    if (strcmp(args->name, "no") == 0) {
        tenon_check_at(check, check); /* no field */
        return tenon_check_format(check, "%s are about nowhere (%s, %s)", tenon_check_parameter(check),
                                  tenon_check_type(check), tenon_check_is_required(check) ? "required" : "?");
    }
    return NULL;
}

/* clang-format off */
TENON_ROWS(room_rows, room,
    TENON_INT (seats, "S.", .example = "35", .check = not_thirteen,
               .checks = TENON_CHECKS(TENON_WITH(multiple_of, &five), TENON_WITH(multiple_of, &seven))),
    TENON_INT (rows,  "R.", .key = "rows_wanted", .def = 5, .checks = TENON_CHECKS(TENON_WITH(multiple_of, &five))),
    TENON_STR (name,  "N.", .def = "one", .check = tells_all),
    TENON_STR (code,  "C.", .required = true, .example = "abc", .checks = {{ tells_all, &five }}),
    TENON_CHECK_WITH(fits, &five));
/* clang-format on */

typedef struct {
    room inner;
    TENON_LIST_OF(room) rooms;
} house;

static const char *names_inside(tenon_check *check, const void *value)
{
    const house *args = value;

    if (args->rooms.count < 2)
        return NULL;
    tenon_check_at(check, &args->rooms.at[1].seats);
    tenon_check_suggest(check, "0");
    return "the second room is too much";
}

TENON_ROWS(house_rows, house,
    TENON_OBJECT (inner, room_rows, "I."),
    TENON_OBJECTS(rooms, room_rows, "R."),
    TENON_CHECK  (names_inside));

static void says_what_is_wrong(void **state)
{
    static const struct { const tenon_rows *(*rows)(void); const char *args, *want, *codes; } cases[] = {
        { room_rows, "{'seats':35,'code':'a'}", "{'seats':35,'rows_wanted':5,'name':'one','code':'a'}", "" },
        { room_rows, "{'seats':13,'code':'a'}",
          "seats must not be 13 | seats must be a multiple of 5, got 13 | seats must be a multiple of 7, got 13",
          "seats:check seats:check~10 seats:check~7" },
        { room_rows, "{'seats':14,'rows_wanted':'6','code':'a'}",
          "seats must be a multiple of 5, got 14 | rows_wanted must be a multiple of 5, got 6 + "
          "Converted rows_wanted from '6' to 6",
          "seats:check~10 rows_wanted:check~5" },
        { room_rows, "{'name':'long','code':'long'}",
          "[] name string optional 'one' bare | [] code string required none argument", "name:check code:check" },
        { room_rows, "{'seats':70,'rows_wanted':10,'code':'a'}", "rows must be fewer with 70 seats",
          "rows_wanted:check~1" },
        { room_rows, "{'name':'no','code':'a'}", "arguments are about nowhere (object, required)", "arguments:check" },
        { house_rows, "{'inner':{'seats':70,'rows_wanted':10,'code':'a'}}", "rows must be fewer with 70 seats",
          "/inner/rows_wanted:check~1" },
        { house_rows, "{'inner':{'seats':1,'code':'a'}}",
          "/inner/seats must be a multiple of 5, got 1 | /inner/seats must be a multiple of 7, got 1",
          "/inner/seats:check~0 /inner/seats:check~0" },
        /* What came as text is replaced as a whole: no suggestion for a part of it. */
        { house_rows, "{'inner':'{\\'seats\\':70,\\'rows_wanted\\':10,\\'code\\':\\'a\\'}'}",
          "rows must be fewer with 70 seats", "inner:check" },
        { house_rows, "{'rooms':[{'code':'a'},{'code':'b'}]}", "the second room is too much",
          "/rooms/1/seats:check~0" },
        { house_rows, "{'rooms':'[{\\'code\\':\\'a\\'},{\\'code\\':\\'b\\'}]'}", "the second room is too much",
          "rooms:check" },
        /* What came under another name is replaced there. */
        { room_rows, "{'seats':70,'rowsWanted':10,'code':'a'}",
          "rows must be fewer with 70 seats + Renamed rows_wanted from 'rowsWanted'",
          "rowsWanted:check~1" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        judged_is(cases[i].rows(), cases[i].args, cases[i].want);
        judged_codes_are(cases[i].rows(), cases[i].args, cases[i].codes);
    }
}

static void knows_its_tool(void **state)
{
    const struct tn_judge how = { .tool = "book_room", .unknown = TENON_UNKNOWN_REJECT };

    (void)state;
    judged_is_how(room_rows(), "{'name':'long','code':'a'}", &how,
                  "[book_room] name string optional 'one' bare");
}

static void refuses_memory(void **state)
{
    static const char args[] = "{\"seats\":13,\"rows_wanted\":3,\"code\":\"long\",\"name\":\"long\"}";
    struct tn_fault   fault  = { 0 };
    tenon_allocator   memory = tn_fault_allocator(&fault);
    tenon_shape      *shape  = tenon_shape_new(room_rows(), &memory);

    (void)state;
    fault.refused = true;
    for (size_t nth = 1; fault.refused; nth++) {
        tenon_params *params = tenon_params_new(shape);

        fault.requests = 0, fault.refused = false, fault.refuse_at = nth;
        assert_null(tenon_params_bind(params, args, sizeof args - 1));
        fault.refuse_at = 0;
        assert_int_equal(tenon_params_failed(params), fault.refused);
        if (!fault.refused)
            assert_int_equal(tenon_params_issue_count(params), 6);
        tenon_params_free(params);
    }
    tenon_shape_free(shape);
    assert_int_equal(fault.blocks, 0);
}

typedef struct {
    int seats;
} hall;

static const char *cannot_tell(tenon_check *check, const void *seats)
{
    return *(const int *)seats < 5 ? NULL : tenon_check_fail(check, "the list of %s is lost", "halls");
}

TENON_ROWS(hall_rows, hall, TENON_INT(seats, "How many.", .range = { 1, 9 }, .check = cannot_tell));

/* A check that fails knows nothing about the value: neither bound nor reported as the caller's mistake. */
static void fails_itself(void **state)
{
    tenon_shape  *shape  = tenon_shape_new(hall_rows(), NULL);
    tenon_params *params = tenon_params_new(shape);

    (void)state;
    assert_null(tenon_params_bind(params, "{\"seats\":7}", 11));
    assert_true(tenon_params_failed(params));
    assert_non_null(tenon_params_bind(params, "{\"seats\":4}", 11));
    assert_false(tenon_params_failed(params));
    tenon_params_free(params);
    tenon_shape_free(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_itself),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(knows_its_tool),
        cmocka_unit_test(refuses_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
