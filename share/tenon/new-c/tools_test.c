/* tools_test.c - the tools as a client sees them, in memory. */
#include <stdio.h>

#include <tenon/testing.h>

#include "tools.h"

static const struct {
    const char *arguments, *expected;
} cases[] = {
    { "{\"city\": \"Oslo\", \"days\": 5}", "{\"data\": {\"text\": \"Oslo, 5 days: sunny, 21 °C.\"}}" },
    { "{\"city\": \"Oslo\", \"days\": \"5\"}", "{\"messages\": [\"Converted days from \\\"5\\\" to 5\"]}" },
    { "{\"days\": 20}", "{\"status\": \"ERROR\", \"error\": {\"details\": {\"totalErrors\": 2}}}" },
};

int main(void)
{
    tenon_server *server = tenon_server_new("@NAME@", "0.1.0");
    tenon_probe  *probe;
    int           failed = 0;

    add_tools(server);
    probe = tenon_probe_new(server);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *wrong = tenon_probe_expect(probe, "forecast", cases[i].arguments, cases[i].expected);

        if (wrong)
            printf("%s\n%s\n", cases[i].arguments, wrong);
        failed += wrong != NULL;
    }
    tenon_probe_free(probe);
    tenon_server_free(server);
    return failed > 0;
}
