// tools.cpp - one tool: a struct with a row for each parameter, and a function.
#include "tools.hpp"

struct forecast_args {
    const char *city;
    int         days;
    bool        celsius;

    static auto rows()
    {
        return tenon::rows(tenon::row<&forecast_args::city>("A city, in English.").required().len(1, 80),
                           tenon::row<&forecast_args::days>("How far ahead.").range(1, 14).def(3),
                           tenon::row<&forecast_args::celsius>("Degrees in Celsius.").def(true));
    }
};

// Runs when the arguments are valid; nothing has to be checked here.
static tenon::outcome forecast(tenon::call &call, const forecast_args &args)
{
    return call.text(args.city, ", ", args.days, " days: sunny, ", args.celsius ? "21 °C" : "70 °F", ".").ok();
}

void add_tools(tenon::server &server)
{
    server.tool<forecast>("Say what the weather will be.").read_only();
}
