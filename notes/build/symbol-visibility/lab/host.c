/* A program that loads a plugin, which calls a function of the program. */
#include <dlfcn.h>
#include <stdio.h>

void host_log(const char *text)
{
    puts(text);
}

int main(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin) {
        puts(dlerror());
        return 1;
    }
    ((void (*)(void))dlsym(plugin, "plugin_start"))();
    return 0;
}
