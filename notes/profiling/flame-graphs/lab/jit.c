// Runs code that it wrote itself; with an argument it also says where that code lies.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char *argv[]) {
    // push %rbp; mov %rsp,%rbp; mov $20000000,%ecx; 1: dec %ecx; jnz 1b; pop %rbp; ret
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb9, 0x00, 0x2d, 0x31, 0x01,
                                         0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3};
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return 1;
    memcpy(page, code, sizeof code);
    if (mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0) return 1;
    if (argc > 1 && strcmp(argv[1], "map") == 0) {
        char name[64];
        snprintf(name, sizeof name, "/tmp/perf-%d.map", getpid());
        FILE *map = fopen(name, "w");
        if (!map) return 1;
        fprintf(map, "%lx %zx made_at_run_time\n", (unsigned long)page, sizeof code);
        fclose(map);
    }
    void (*run)(void);
    memcpy(&run, &page, sizeof run);
    for (int i = 0; i < 60; i++) run();
    return 0;
}
