# cmake -DFROM=FILE -DTO=FILE.c -DNAME=SYMBOL -P embed.cmake: the bytes of a file as C, with a NUL after them.
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes "${bytes}")
get_filename_component(file ${FROM} NAME)
file(WRITE ${TO} "/* Made of ${file} by the build. */
extern const char ${NAME}[];
const char ${NAME}[] = {
    ${bytes}0x00
};
")
