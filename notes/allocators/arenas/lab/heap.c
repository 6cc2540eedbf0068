// A heap of mimalloc that is destroyed as a whole: heap OBJECTS.
// The library's header is a package of its own, so that the functions are declared here.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct mi_heap_s mi_heap_t;
mi_heap_t* mi_heap_new(void);
void* mi_heap_malloc(mi_heap_t* heap, size_t size);
void mi_heap_destroy(mi_heap_t* heap);

struct node {
    struct node* next;
    uint64_t size;
};

static size_t size_of(unsigned i) { return 24 + 8 * (i * 5 % 13); }

__attribute__((noinline)) static struct node* take_phase(mi_heap_t* heap, unsigned objects)
{
    struct node* head = NULL;
    for (unsigned i = 0; i < objects; i++) {
        struct node* node = mi_heap_malloc(heap, size_of(i));
        *node = (struct node){head, size_of(i)};
        head = node;
    }
    return head;
}

__attribute__((noinline)) static void give_phase(mi_heap_t* heap) { mi_heap_destroy(heap); }

int main(int count, char** words)
{
    unsigned objects = count > 1 ? (unsigned)atoi(words[count - 1]) : 0;
    mi_heap_t* heap = mi_heap_new();
    struct node* head = take_phase(heap, objects);
    unsigned found = 0;
    for (struct node* node = head; node; node = node->next)
        found++;
    give_phase(heap);
    printf("{\"objects\": %u}\n", found);
    return found != objects;
}
