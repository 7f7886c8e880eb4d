/* consumer.c - a user's program: it sees only what is installed. It prints the version first. */
#include <stdio.h>

#include <tenon/tenon.h>

int main(void)
{
    puts(tenon_version());
    return 0;
}
