// Loads the files that it is given, in that order, and asks the last one, a plugin.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *last = NULL;
    for (int i = 1; i < argc; i++) {
        last = dlopen(argv[i], RTLD_NOW);
        if (last == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
    }
    if (last == NULL)
        return 2;
    int (*plugin)(void) = (int (*)(void))dlsym(last, "plugin");
    if (plugin == NULL)
        return 3;
    printf("%d\n", plugin());
}
