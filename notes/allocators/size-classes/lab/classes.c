/* How many size classes jemalloc has, of slabs and of extents of their own, as it says itself.

   Usage: classes       prints one JSON object; jemalloc has to be preloaded */
#include <stddef.h>
#include <stdio.h>

int mallctl(const char *name, void *old, size_t *old_size, void *new, size_t new_size)
    __attribute__((weak));

int main(void)
{
    unsigned small = 0, large = 0;
    size_t size = sizeof small;
    if (!mallctl || mallctl("arenas.nbins", &small, &size, NULL, 0)
        || mallctl("arenas.nlextents", &large, &size, NULL, 0)) {
        fprintf(stderr, "classes: jemalloc is not preloaded\n");
        return 1;
    }
    printf("{\"small\": %u, \"large\": %u}\n", small, large);
    return 0;
}
