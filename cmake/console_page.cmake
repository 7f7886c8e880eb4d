# Writes TO, a C source with the files of the folder FROM: see src/net/console/page.h.

set(text "/* Made by cmake/console_page.cmake. */\n#include \"net/console/page.h\"\n\n")
set(rows "")
set(count 0)

function(add_page file path type)
    file(READ "${FROM}/${file}" hex HEX)
    file(SHA256 "${FROM}/${file}" tag)
    string(SUBSTRING "${tag}" 0 24 tag)
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}") # lines that an editor can show
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND text "static const unsigned char file_${count}[] = {\n${bytes}\n};\n\n")
    string(APPEND rows "    { \"${path}\", \"${type}; charset=utf-8\", file_${count}, sizeof file_${count}, \"\\\"${tag}\\\"\" },\n")
    math(EXPR count "${count} + 1")
    set(text "${text}" PARENT_SCOPE)
    set(rows "${rows}" PARENT_SCOPE)
    set(count "${count}" PARENT_SCOPE)
endfunction()

add_page(index.html /console text/html)
add_page(console.css /console/app.css text/css)
add_page(console.js /console/app.js text/javascript)

string(APPEND text "const struct tn_page_file tn_page_files[] = {\n${rows}};\nconst size_t tn_page_file_count = ${count};\n")
file(WRITE "${TO}" "${text}")
