/* One pass over fresh areas, for a cache simulator: count read|fill|copy BYTES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels.h"

static volatile uint64_t sink;

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    size_t bytes = strtoull(argv[2], NULL, 10);
    char *from = aligned_alloc(4096, bytes), *to = aligned_alloc(4096, bytes);
    if (!from || !to || !bytes)
        return 1;
    if (!strcmp(argv[1], "read"))
        sink = sum(from, bytes);
    else if (!strcmp(argv[1], "fill"))
        fill_plain(to, bytes);
    else if (!strcmp(argv[1], "copy"))
        copy_plain(to, from, bytes);
    else
        return 2;
    return 0;
}
