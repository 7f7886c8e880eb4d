/* A program of a project that has Tenon inside. */
#include <stdio.h>

#include <tenon/tenon.h>

int main(void)
{
    puts(tenon_version());
}
