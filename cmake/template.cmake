# cmake -DFROM=FOLDER -DTO=FILE.c -P template.cmake: the files of FOLDER, FOLDER-c and FOLDER-cpp as the table of
# src/cli/project/template.h.
# Names that begin with a dot in a project have none here, so that tools do not take them for this tree's own.
cmake_minimum_required(VERSION 3.22)
set(hidden mcp.json gitignore)
file(GLOB files ${FROM}/* ${FROM}-c/* ${FROM}-cpp/*)
set(texts "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    get_filename_component(folder ${file} DIRECTORY)
    set(kind TEMPLATE_COMMON)
    if(folder STREQUAL ${FROM}-c)
        set(kind TEMPLATE_C)
    elseif(folder STREQUAL ${FROM}-cpp)
        set(kind TEMPLATE_CPP)
    endif()
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\"\n    \"" bytes "${bytes}") # sixteen a line
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    string(APPEND texts "static const char text_${count}[] =\n    \"${bytes}\";\n")
    set(path ${name})
    if(name IN_LIST hidden)
        set(path .${name})
    endif()
    string(APPEND rows "    { \"${path}\", text_${count}, ${kind} },\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${TO} "/* Made of share/tenon/new/ by the build. */
#include \"cli/project/template.h\"

${texts}
const struct template_file template_files[] = {
${rows}};
const size_t template_count = ${count};
")
