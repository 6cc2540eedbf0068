/* ends WAY: ends in one of several ways. Built with -fprofile-generate, it shows which of them
 * leave a profile. */
#include <gcov.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void dump(int number)
{
    (void)number;
    __gcov_dump();
    _exit(0);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "return";
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "handler") == 0)
        signal(SIGTERM, dump);
    if (strcmp(way, "return") != 0)
        raise(SIGTERM);
    return 0;
}
