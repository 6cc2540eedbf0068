/* Another file of the program, which the linker may put before hot.c or behind it. The bytes that
 * are left free make its length one that moves what comes behind it within a line of 64 bytes. */
__asm__(".text\n.skip 16\n");

int other(int x) { return 3 * x + 1; }
