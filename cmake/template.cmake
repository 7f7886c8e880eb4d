# cmake -DFROM=FOLDER -DTO=FILE.c -P template.cmake: the files of a folder as the table of src/cli/project/template.h.
# Names that begin with a dot in a project have none here, so that tools do not take them for this tree's own.
cmake_minimum_required(VERSION 3.22)
set(hidden mcp.json gitignore)
file(GLOB files RELATIVE ${FROM} ${FROM}/*)
set(texts "")
set(rows "")
set(count 0)
foreach(name IN LISTS files)
    file(READ ${FROM}/${name} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\"\n    \"" bytes "${bytes}") # sixteen a line
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    string(APPEND texts "static const char text_${count}[] =\n    \"${bytes}\";\n")
    set(path ${name})
    if(name IN_LIST hidden)
        set(path .${name})
    endif()
    string(APPEND rows "    { \"${path}\", text_${count} },\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${TO} "/* Made of share/tenon/new/ by the build. */
#include \"cli/project/template.h\"

${texts}
const struct template_file template_files[] = {
${rows}};
const size_t template_count = ${count};
")
