/* How many entries the second-level data TLB has, as the processor itself says (CPUID function
   8000_0006h; AMD's processors only), and how many bytes they cover. Prints one JSON object.
   A processor that sets bit 14 of 8000_0021h EAX gives these sizes in multiples of 32. */
#include <cpuid.h>
#include <stdio.h>

int main(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000006, &a, &b, &c, &d) || !((b >> 16) & 0xfff)) {
        fprintf(stderr, "tlb: this processor does not describe its TLB in CPUID 8000_0006h\n");
        return 1;
    }
    unsigned small = (b >> 16) & 0xfff, huge = (a >> 16) & 0xfff;
    if (__get_cpuid(0x80000021, &a, &b, &c, &d) && (a >> 14) & 1) {
        small *= 32;
        huge *= 32;
    }
    printf("{\"entries\": %u, \"reach_small\": %llu, \"reach_huge\": %llu}\n", small,
           small * (4ull << 10), huge * (2ull << 20));
    return 0;
}
