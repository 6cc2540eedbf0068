/* How much more than the request malloc hands out: asks for every size in a range and compares
   with malloc_usable_size(). The allocator is whichever is preloaded.

   Usage: waste LOW HIGH ASK       prints one JSON object; ASK is one request looked at alone
          waste show ASK ...       prints the usable size of each request
          waste hole FREED ASK     asks twice, and prints what each block has beyond the request: the
                                   first one can be put where a block of FREED bytes was */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *why)
{
    fprintf(stderr, "waste: %s\n", why);
    exit(1);
}

static size_t usable(size_t request)
{
    void *block = malloc(request);
    if (!block)
        fail("no memory");
    size_t size = malloc_usable_size(block);
    free(block);
    if (size < request)
        fail("a block is smaller than its request");
    return size;
}

static size_t parse(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < 1 || number > 1L << 30)
        fail("a size is missing or out of range");
    return number;
}

static int hole(size_t freed, size_t request)
{
    void *volatile gap = malloc(freed);     /* volatile, or GCC takes malloc and free out */
    void *fence = malloc(100);              /* keeps the gap from the free end of the heap */
    free(gap);
    void *first = malloc(request), *second = malloc(request);
    if (!fence || !first || !second)
        fail("no memory");
    printf("{\"first_extra\": %zu, \"second_extra\": %zu}\n", malloc_usable_size(first) - request,
           malloc_usable_size(second) - request);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && !strcmp(argv[1], "show")) {
        for (int i = 2; i < argc; i++)
            printf("%s -> %zu\n", argv[i], usable(parse(argv[i])));
        return 0;
    }
    if (argc == 4 && !strcmp(argv[1], "hole"))
        return hole(parse(argv[2]), parse(argv[3]));
    if (argc != 4)
        fail("usage: waste LOW HIGH ASK, waste show ASK ..., or waste hole FREED ASK");
    size_t low = parse(argv[1]), high = parse(argv[2]), last = 0;
    double worst = 0, sum = 0;
    long classes = 0, over_eighth = 0, most_extra = 0;
    for (size_t request = low; request <= high; request++) {
        size_t size = usable(request), extra = size - request;
        double share = (double)extra / request;
        if (size != last)
            classes++;
        last = size;
        if (share > worst)
            worst = share;
        if ((long)extra > most_extra)
            most_extra = extra;
        over_eighth += extra * 8 > request;
        sum += share;
    }
    printf("{\"asked\": %zu, \"worst\": %.6f, \"mean\": %.6f, \"over_eighth\": %.6f, "
           "\"most_extra\": %ld, \"classes\": %ld}\n",
           usable(parse(argv[3])), worst, sum / (high - low + 1),
           (double)over_eighth / (high - low + 1), most_extra, classes);
    return 0;
}
