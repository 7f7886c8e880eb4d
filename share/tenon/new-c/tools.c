/* tools.c - one tool: a struct, a function, and a row for each parameter. */
#include "tools.h"

typedef struct {
    const char *city;
    int         days;
    bool        celsius;
} forecast_args;

/* Runs when the arguments are valid; nothing has to be checked here. */
static tenon_outcome forecast(tenon_call *call, const forecast_args *args)
{
    tenon_text(call, "%s, %d days: sunny, %s.", args->city, args->days, args->celsius ? "21 °C" : "70 °F");
    return tenon_ok(call);
}

TENON_TOOL(forecast, forecast_args,
    TENON_INFO("Say what the weather will be.", .hints = TENON_READ_ONLY),
    TENON_STR (city,    "A city, in English.", .required = true, .len = {1, 80}),
    TENON_INT (days,    "How far ahead.",      .range = {1, 14}, .def = 3),
    TENON_BOOL(celsius, "Degrees in Celsius.", .def = true));

void add_tools(tenon_server *server)
{
    tenon_server_add(server, forecast_tool());
}
