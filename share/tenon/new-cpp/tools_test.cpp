// tools_test.cpp - the tools as a client sees them, in memory.
#include <cstdio>

#include <tenon/testing.h>

#include "tools.hpp"

static const struct {
    const char *arguments, *expected;
} cases[] = {
    { R"({"city": "Oslo", "days": 5})", R"({"data": {"text": "Oslo, 5 days: sunny, 21 °C."}})" },
    { R"({"city": "Oslo", "days": "5"})", R"({"messages": ["Converted days from \"5\" to 5"]})" },
    { R"({"days": 20})", R"({"status": "ERROR", "error": {"details": {"totalErrors": 2}}})" },
};

int main()
{
    tenon::server server("@NAME@", "0.1.0");
    tenon_probe  *probe;
    int           failed = 0;

    add_tools(server);
    probe = tenon_probe_new(server.c());
    for (const auto &one : cases) {
        const char *wrong = tenon_probe_expect(probe, "forecast", one.arguments, one.expected);

        if (wrong)
            std::printf("%s\n%s\n", one.arguments, wrong);
        failed += wrong != nullptr;
    }
    tenon_probe_free(probe);
    return failed > 0;
}
