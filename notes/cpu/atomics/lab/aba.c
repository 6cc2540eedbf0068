/* A lock-free stack of three nodes whose pop is interrupted between its load and its compare-and-swap.

   The interruption is written out, so that the outcome is the same each time. Prints JSON: whether the
   swap succeeded, and whether the head is then a node that somebody else owns; with a bare pointer
   and with a counter that every change of the head increments. */
#include <stdatomic.h>
#include <stdio.h>

struct node { struct node *next; };
static struct node a, b, c;
static struct node *const nodes[] = {NULL, &a, &b, &c};

/* The head: the number of a node in the low 32 bits, the counter in the high ones. */
static atomic_ulong head;
static unsigned long one_change; /* 0: a bare pointer; 1 << 32: counted */

static struct node *at(unsigned long value) { return nodes[value & 0xffffffff]; }

static unsigned long number(const struct node *n)
{
    for (unsigned long k = 0; k < 4; k++)
        if (nodes[k] == n)
            return k;
    return 0;
}

static unsigned long next_head(unsigned long old, const struct node *n)
{
    return ((old & ~0xffffffffUL) + one_change) | number(n);
}

static struct node *pop(void)
{
    unsigned long old = atomic_load(&head);
    while (!atomic_compare_exchange_weak(&head, &old, next_head(old, at(old)->next))) { }
    return at(old);
}

static void push(struct node *n)
{
    unsigned long old = atomic_load(&head);
    do
        n->next = at(old);
    while (!atomic_compare_exchange_weak(&head, &old, next_head(old, n)));
}

static void test(const char *name, unsigned long change)
{
    one_change = change;
    atomic_store(&head, 0);
    push(&c);
    push(&b);
    push(&a); /* a, b, c */

    unsigned long old = atomic_load(&head);              /* thread 1 begins its pop: sees a ... */
    unsigned long new = next_head(old, at(old)->next);   /* ... whose successor is b */
    struct node *first = pop(), *second = pop();         /* thread 2 takes a and b, keeps b, */
    push(first);                                         /* and gives a back: a, c */
    int swapped = atomic_compare_exchange_strong(&head, &old, new); /* thread 1 goes on */
    printf("\"%s_swapped\": %d, \"%s_broken\": %d", name, swapped, name,
           at(atomic_load(&head)) == second);
}

int main(void)
{
    printf("{");
    test("bare", 0);
    printf(", ");
    test("counted", 1UL << 32);
    printf("}\n");
    return 0;
}
