/* content.c - tools whose answers carry more than text: pictures, sound, resources. */
#include "conformance.h"

const unsigned char pixel_png[PIXEL_PNG_LEN] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
    0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xc9, 0xfe, 0x92,
    0xef, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};
const size_t pixel_png_len = sizeof pixel_png;

const unsigned char silence_wav[] = {
    'R',  'I',  'F',  'F',  0x24, 0x00, 0x00, 0x00, 'W',  'A',  'V',  'E',  'f',  'm',  't',
    ' ',  0x10, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x40, 0x1f, 0x00, 0x00, 0x40, 0x1f,
    0x00, 0x00, 0x01, 0x00, 0x08, 0x00, 'd',  'a',  't',  'a',  0x00, 0x00, 0x00, 0x00,
};
const size_t silence_wav_len = sizeof silence_wav;

static tenon_outcome test_image_content(tenon_call *call)
{
    tenon_add_image(call, "image/png", pixel_png, pixel_png_len);
    return tenon_ok(call);
}
TENON_TOOL0(test_image_content, TENON_INFO("Answer with a picture.", .hints = TENON_READ_ONLY));

static tenon_outcome test_audio_content(tenon_call *call)
{
    tenon_add_audio(call, "audio/wav", silence_wav, silence_wav_len);
    return tenon_ok(call);
}
TENON_TOOL0(test_audio_content, TENON_INFO("Answer with a sound.", .hints = TENON_READ_ONLY));

static tenon_outcome test_embedded_resource(tenon_call *call)
{
    tenon_add_resource_text(call, "test://embedded-resource", "text/plain",
                            "This is an embedded resource content.");
    return tenon_ok(call);
}
TENON_TOOL0(test_embedded_resource, TENON_INFO("Answer with a resource inside.", .hints = TENON_READ_ONLY));

static tenon_outcome test_multiple_content_types(tenon_call *call)
{
    tenon_text(call, "Multiple content types test:");
    tenon_add_image(call, "image/png", pixel_png, pixel_png_len);
    tenon_add_resource_text(call, "test://mixed-content-resource", "application/json",
                            "{\"test\":\"data\",\"value\":123}");
    tenon_add_link(call, "test://static-text", "static-text", "text/plain");
    return tenon_ok(call);
}
TENON_TOOL0(test_multiple_content_types,
            TENON_INFO("Answer with text, a picture, a resource and a link.", .hints = TENON_READ_ONLY));

void add_content_tools(tenon_server *server)
{
    tenon_server_add(server, test_image_content_tool());
    tenon_server_add(server, test_audio_content_tool());
    tenon_server_add(server, test_embedded_resource_tool());
    tenon_server_add(server, test_multiple_content_types_tool());
}
