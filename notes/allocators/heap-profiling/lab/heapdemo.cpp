// heapdemo.cpp: g++ -O1 -g -fno-omit-frame-pointer -fno-builtin heapdemo.cpp -o heapdemo
#include <sys/mman.h>
#include <cstdlib>
#include <cstring>
#include <vector>
#define NOINLINE __attribute__((noinline))

NOINLINE char *peak_table() {            // large, freed before the end
    char *t = (char *)malloc(48 << 20);
    memset(t, 1, 48 << 20);
    return t;
}
NOINLINE void leak_session() {           // small, pointer lost
    char *s = (char *)malloc(160);
    memset(s, 2, 160);
}
NOINLINE size_t churn_line(int i) {      // short-lived, very many
    char *s = (char *)malloc(48);
    memset(s, i, 48);
    size_t r = (size_t)s[7];
    free(s);
    return r;
}
NOINLINE char *roomy_buffer() {          // 64 KiB asked for, 100 bytes used
    char *b = (char *)malloc(64 << 10);
    memset(b, 3, 100);
    return b;
}
NOINLINE char *mapped_scratch() {        // bypasses malloc
    char *m = (char *)mmap(nullptr, 32 << 20, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(m, 4, 32 << 20);
    return m;
}
int main() {
    volatile size_t sink = 0;
    char *map = mapped_scratch();
    std::vector<char *> rooms;
    for (int i = 0; i < 200; i++) rooms.push_back(roomy_buffer());
    char *table = peak_table();
    for (int i = 0; i < 100000; i++) sink = sink + churn_line(i);
    free(table);
    for (int i = 0; i < 20000; i++) leak_session();
    for (char *b : rooms) free(b);
    munmap(map, 32 << 20);
}
