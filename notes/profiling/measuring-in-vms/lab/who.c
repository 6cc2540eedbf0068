// What the processor says of itself by the instruction CPUID: whether a hypervisor wants to be seen, and its name.
#include <cpuid.h>
#include <stdio.h>

int main(void)
{
    unsigned a, b, c, d, name[4] = {0};
    __cpuid(1, a, b, c, d);
    unsigned present = c >> 31;
    if (present)
        __cpuid(0x40000000, a, name[0], name[1], name[2]);
    printf("hypervisor bit %u, name \"%s\"\n", present, (char *)name);
}
