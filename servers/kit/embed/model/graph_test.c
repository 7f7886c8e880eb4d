/* graph_test.c - which files are models that are run here, and why the others are not. */
#include "kit/embed/model/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Fields of a protobuf as they stand in a file; lengths are one byte. */
#define NODE(len, fields)   "\x0a" len fields
#define MATMUL              "\x22\x06MatMul"
#define TENSOR(len, fields) "\x2a" len fields
#define GRAPH(len, fields)  "\x08\x08\x3a" len fields
#define BYTES(text)         text, sizeof(text) - 1

static const struct { const char *at; size_t len; const char *want; } cases[] = {
    { BYTES(GRAPH("\x0a", NODE("\x08", MATMUL))), NULL },
    { BYTES(GRAPH("\x18", NODE("\x08", MATMUL) TENSOR("\x0c", "\x08\x01\x10\x01\x4a\x04" "1234\x08\x01"))), NULL },
    { BYTES(GRAPH("\x16", NODE("\x08", MATMUL) TENSOR("\x0a", "\x08\x02\x10\x01\x4a\x04" "1234"))),
      "has a tensor whose data is not as long as its shape" },
    { BYTES(GRAPH("\x16", NODE("\x08", MATMUL) TENSOR("\x0a", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))),
      "has a tensor that claims to be larger than any model" },
    { BYTES(GRAPH("\x0e", NODE("\x08", MATMUL) TENSOR("\x02", "\x70\x01"))), "names data in another file" },
    { BYTES(GRAPH("\x10", NODE("\x08", MATMUL) TENSOR("\x04", "\x6a\x02xx"))), "names data in another file" },
    { BYTES(GRAPH("\x08", NODE("\x06", "\x22\x04Loop"))), "has an operator that encoders of texts do not need" },
    { BYTES(GRAPH("\x0e", NODE("\x0c", MATMUL "\x2a\x02\x32\x00"))), "has a node with a graph of its own" },
    { BYTES(GRAPH("\x0e", NODE("\x0c", MATMUL "\x3a\x02my"))), "has operators of an unknown maker" },
    { BYTES(GRAPH("\x0c", NODE("\x08", MATMUL) "\x7a\x00")), "has sparse tensors" },
    { BYTES(GRAPH("\x04", NODE("\x02", "\x0a\x00"))), "has a node without an operator" },
    { BYTES(GRAPH("\x0a", NODE("\x08", MATMUL)) "\xca\x01\x00"), "has functions or training" },
    { BYTES(GRAPH("\x0a", NODE("\x08", MATMUL)) GRAPH("\x0a", NODE("\x08", MATMUL))), "is not an ONNX model, or not all of one" },
    { BYTES(GRAPH("\x0a", NODE("\x08", "\x22\x06MatM"))), "is not an ONNX model, or not all of one" },
    { BYTES(GRAPH("\x08", NODE("\x07", "\x22\x06MatM"))), "has a broken graph" },
    { BYTES("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "is not an ONNX model, or not all of one" },
    { BYTES(""), "is not an ONNX model, or not all of one" },
    { BYTES("PK\x03\x04 not a model"), "is not an ONNX model, or not all of one" },
};

static void says_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *bad = graph_check(cases[i].at, cases[i].len);

        if (cases[i].want)
            assert_string_equal(bad ? bad : "(fine)", cases[i].want);
        else
            assert_null(bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(says_what_is_wrong) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
