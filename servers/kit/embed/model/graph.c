/* graph.c - a walk over an ONNX file, which is a protobuf, without a copy.
 *
 * A model is a program for the library that runs it. What is let through: every tensor has its data inside of the file and as
 * much of it as its shape states, no node has a graph of its own (so no loops and no branches), there are no functions, and every
 * operator is one that encoders of the BERT family have. Each level is walked once; nothing is recursive.
 */
#include "kit/embed/model/graph.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NODES_MAX  100000
#define TENSORS_MAX 100000
#define RANK_MAX   8

struct span {
    const unsigned char *at, *end;
};

struct field {
    uint64_t    number, value; /* of varints */
    int         wire;
    struct span bytes;
};

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

/* Numbers of fields in onnx.proto. */
enum { MODEL_GRAPH = 7, MODEL_TRAINING = 20, MODEL_FUNCTIONS = 25 };
enum { GRAPH_NODE = 1, GRAPH_TENSOR = 5, GRAPH_SPARSE = 15 };
enum { NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum {
    ATTRIBUTE_TENSOR  = 5,
    ATTRIBUTE_GRAPH   = 6,
    ATTRIBUTE_TENSORS = 10,
    ATTRIBUTE_GRAPHS  = 11,
    ATTRIBUTE_SPARSE  = 22,
    ATTRIBUTE_SPARSES = 23
};
enum {
    TENSOR_SHAPE    = 1,
    TENSOR_TYPE     = 2,
    TENSOR_SEGMENT  = 3,
    TENSOR_RAW      = 9,
    TENSOR_EXTERNAL = 13,
    TENSOR_LOCATION = 14
};

/* clang-format off */
static const char *const operators[] = {
    "Abs", "Add", "Attention", "BiasGelu", "Cast", "Clip", "Concat", "Constant", "ConstantOfShape", "DequantizeLinear", "Div",
    "DynamicQuantizeLinear", "DynamicQuantizeMatMul", "EmbedLayerNormalization", "Equal", "Erf", "Expand", "FastGelu", "Gather",
    "Gelu", "Gemm", "Identity", "LayerNormalization", "MatMul", "MatMulInteger", "MatMulIntegerToFloat", "Max", "Min", "Mul",
    "Not", "Pow", "QAttention", "QuantizeLinear", "Range", "ReduceMean", "ReduceSum", "Reshape", "Shape",
    "SkipLayerNormalization", "Slice", "Softmax", "Sqrt", "Squeeze", "Sub", "Tanh", "Transpose", "Unsqueeze", "Where",
};
static const char *const domains[] = { "", "ai.onnx", "com.microsoft" };
/* clang-format on */

/* Bytes of an element, by the number of its type; 0: not known, and not stored raw in models that are run here. */
static const unsigned char element_sizes[] = { 0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 0, 0, 2 };

static bool read_varint(struct span *in, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        unsigned char c = *in->at++;

        *value |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return true;
    }
    return false;
}

/* False at the end, and at a mistake, where `in->at` is not `in->end`. */
static bool next(struct span *in, struct field *field)
{
    struct span at = *in;
    uint64_t    key, len = 0;

    if (at.at == at.end || !read_varint(&at, &key))
        return false;
    *field = (struct field){ .number = key >> 3, .wire = (int)(key & 7) };
    switch (field->wire) {
    case WIRE_VARINT:
        if (!read_varint(&at, &field->value))
            return false;
        break;
    case WIRE_64: len = 8; break;
    case WIRE_32: len = 4; break;
    case WIRE_BYTES:
        if (!read_varint(&at, &len))
            return false;
        break;
    default: return false;
    }
    if (!field->number || len > (uint64_t)(at.end - at.at))
        return false;
    field->bytes = (struct span){ at.at, at.at + len };
    in->at       = at.at + len;
    return true;
}

static const char *end_of(const struct span *in, const char *bad, const char *broken)
{
    return bad ? bad : in->at == in->end ? NULL : broken;
}

static bool is_one_of(const struct span *text, const char *const *names, size_t count)
{
    size_t len = (size_t)(text->end - text->at);

    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == len && memcmp(names[i], text->at, len) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(text, names) is_one_of(text, names, sizeof(names) / sizeof *(names))

/* ---- Tensors ---- */

struct shape {
    uint64_t elements;
    unsigned rank;
    bool     is_huge;
};

static void add_dimension(struct shape *shape, uint64_t dimension)
{
    shape->is_huge |= ++shape->rank > RANK_MAX || dimension > GRAPH_FILE_MAX;
    if (!shape->is_huge)
        shape->elements *= dimension;
    shape->is_huge |= shape->elements > GRAPH_FILE_MAX;
}

/* One at a time, or packed. */
static bool add_dimensions(struct shape *shape, const struct field *field)
{
    struct span packed = field->bytes;
    uint64_t    dimension;

    if (field->wire == WIRE_VARINT)
        add_dimension(shape, field->value);
    while (field->wire == WIRE_BYTES && packed.at < packed.end) {
        if (!read_varint(&packed, &dimension))
            return false;
        add_dimension(shape, dimension);
    }
    return true;
}

static const char *check_tensor(struct span in)
{
    struct shape shape = { .elements = 1 };
    uint64_t     type = 0, raw = 0;
    bool         has_raw = false;
    struct field field;

    while (next(&in, &field)) {
        if (field.number == TENSOR_EXTERNAL || (field.number == TENSOR_LOCATION && field.value != 0))
            return "names data in another file";
        if (field.number == TENSOR_SEGMENT)
            return "has a tensor in segments";
        if (field.number == TENSOR_SHAPE && !add_dimensions(&shape, &field))
            return "has a broken tensor";
        if (field.number == TENSOR_TYPE)
            type = field.value;
        if (field.number == TENSOR_RAW) {
            has_raw = true;
            raw     = (uint64_t)(field.bytes.end - field.bytes.at);
        }
    }
    if (in.at != in.end)
        return "has a broken tensor";
    if (shape.is_huge)
        return "has a tensor that claims to be larger than any model";
    if (has_raw &&
        (type >= sizeof element_sizes || !element_sizes[type] || raw != shape.elements * element_sizes[type]))
        return "has a tensor whose data is not as long as its shape";
    return NULL;
}

/* ---- Nodes ---- */

static const char *check_attribute(struct span in)
{
    const char  *bad = NULL;
    struct field field;

    while (!bad && next(&in, &field)) {
        switch (field.number) {
        case ATTRIBUTE_GRAPH:
        case ATTRIBUTE_GRAPHS: bad = "has a node with a graph of its own"; break;
        case ATTRIBUTE_SPARSE:
        case ATTRIBUTE_SPARSES: bad = "has sparse tensors"; break;
        case ATTRIBUTE_TENSOR:
        case ATTRIBUTE_TENSORS:
            bad = field.wire == WIRE_BYTES ? check_tensor(field.bytes) : "has a broken attribute";
            break;
        default: break;
        }
    }
    return end_of(&in, bad, "has a broken attribute");
}

static const char *check_node(struct span in)
{
    const char  *bad          = NULL;
    bool         has_operator = false;
    struct field field;

    while (!bad && next(&in, &field)) {
        if (field.number == NODE_ATTRIBUTE)
            bad = field.wire == WIRE_BYTES ? check_attribute(field.bytes) : "has a broken node";
        if (field.number == NODE_OPERATOR && !IS_ONE_OF(&field.bytes, operators))
            bad = "has an operator that encoders of texts do not need";
        if (field.number == NODE_DOMAIN && !IS_ONE_OF(&field.bytes, domains))
            bad = "has operators of an unknown maker";
        has_operator |= field.number == NODE_OPERATOR;
    }
    return end_of(&in,
                  bad            ? bad
                  : has_operator ? NULL
                                 : "has a node without an operator",
                  "has a broken node");
}

/* ---- The graph ---- */

static const char *check_graph(struct span in, size_t *nodes)
{
    const char  *bad     = NULL;
    size_t       tensors = 0;
    struct field field;

    while (!bad && next(&in, &field)) {
        if ((field.number == GRAPH_NODE || field.number == GRAPH_TENSOR) && field.wire != WIRE_BYTES)
            bad = "has a broken graph";
        else if (field.number == GRAPH_NODE)
            bad = ++*nodes > NODES_MAX ? "has too many nodes" : check_node(field.bytes);
        else if (field.number == GRAPH_TENSOR)
            bad = ++tensors > TENSORS_MAX ? "has too many tensors" : check_tensor(field.bytes);
        else if (field.number == GRAPH_SPARSE)
            bad = "has sparse tensors";
    }
    return end_of(&in, bad, "has a broken graph");
}

const char *graph_check(const void *bytes, size_t len)
{
    struct span  in     = { bytes, (const unsigned char *)bytes + len };
    const char  *bad    = NULL;
    size_t       graphs = 0, nodes = 0;
    struct field field;

    if (len > GRAPH_FILE_MAX)
        return "is larger than 1 GB";
    while (!bad && next(&in, &field)) {
        if (field.number == MODEL_GRAPH && field.wire == WIRE_BYTES) {
            graphs++;
            bad = check_graph(field.bytes, &nodes);
        } else if (field.number == MODEL_FUNCTIONS || field.number == MODEL_TRAINING)
            bad = "has functions or training";
    }
    if (!bad && (in.at != in.end || graphs != 1 || !nodes))
        bad = "is not an ONNX model, or not all of one";
    return bad;
}
