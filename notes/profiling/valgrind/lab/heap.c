/* Blocks whose peak and whose use are known, to hold Massif and DHAT against.
 *
 * heap last     3 MB stay, 2 MB come and go, and at the end come 4 MB: a peak of 7 MB
 * heap freed    the same, and the last block is freed
 * heap use      blocks of which all bytes, some or one are read
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MB = 1000000, BLOCKS = 1000, SMALL = 1024, LARGE = 1025 };

struct particle {
    double place, speed;
    char name[48]; /* nobody reads or writes it */
};

struct numbers {
    double of[8];
};

/* Keeps the call of malloc from becoming a jump, which would hide the caller from the tools. */
static void *got(void *block)
{
    __asm__ volatile("" : "+r"(block));
    return block;
}

#define ALLOCATES __attribute__((noipa)) static void *

ALLOCATES kept(void) { return got(malloc(3 * MB)); }
ALLOCATES scratch(void) { return got(malloc(2 * MB)); }
ALLOCATES late(void) { return got(malloc(4 * MB)); }
ALLOCATES particle(void) { return got(malloc(sizeof(struct particle))); }
ALLOCATES numbers(void) { return got(malloc(sizeof(struct numbers))); }
ALLOCATES first_byte(void) { return got(malloc(SMALL)); }
ALLOCATES all_bytes(void) { return got(malloc(SMALL)); }
ALLOCATES one_more(void) { return got(malloc(LARGE)); }

static void *volatile block[BLOCKS];

static int peak(int free_last)
{
    block[0] = kept();
    block[1] = scratch();
    free(block[1]);
    block[1] = late();
    if (free_last)
        free(block[1]);
    return 0;
}

/* Writes each byte once, and then reads as often: all bytes in turn, or the first again and again. */
static void fill_and_read(volatile char *at, int size, int all)
{
    for (int i = 0; i < size; i++)
        at[i] = 1;
    for (int i = 0; i < size; i++)
        (void)at[all ? i : 0];
    free((void *)at);
}

static int use(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        volatile struct particle *p = block[i] = particle();
        p->place = i, p->speed = 1;
    }
    for (int i = 0; i < BLOCKS; i++) {
        volatile struct particle *p = block[i];
        p->place = p->place + p->speed;
        free(block[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
        volatile struct numbers *n = numbers();
        for (int k = 0; k < 8; k++)
            n->of[k] = k;
        free((void *)n);
    }
    fill_and_read(first_byte(), SMALL, 0);
    fill_and_read(all_bytes(), SMALL, 1);
    fill_and_read(one_more(), LARGE, 1);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "last") || !strcmp(what, "freed"))
        return peak(!strcmp(what, "freed"));
    if (!strcmp(what, "use"))
        return use();
    return fprintf(stderr, "usage: heap last|freed|use\n"), 2;
}
