/* Runs "operations NAME MODE" instruction by instruction and counts what it executes between its two
   breakpoints: step MODE NAME...  prints one JSON object, with an entry NAME_KIND for each count.

   atomic: a LOCK prefix, or XCHG with memory, which locks without one. fence: MFENCE. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

struct counts { long all, atomic, fence, calls; };

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static void classify(const unsigned char *code, struct counts *c)
{
    int locked = 0, k = 0;
    for (; k < 8 && memchr("\xf0\xf2\xf3\x66\x67\x2e\x36\x3e\x26\x64\x65", code[k], 11); k++)
        locked |= code[k] == 0xf0;
    if ((code[k] & 0xf0) == 0x40)
        k++; /* REX */
    int exchange = (code[k] == 0x86 || code[k] == 0x87) && code[k + 1] < 0xc0;
    c->all++;
    c->atomic += locked || exchange;
    c->fence += code[k] == 0x0f && code[k + 1] == 0xae && code[k + 2] == 0xf0;
    c->calls += code[k] == 0x0f && code[k + 1] == 0x05;
}

static int trapped(pid_t child)
{
    int status;
    if (waitpid(child, &status, 0) != child)
        die("waitpid");
    return WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
}

static void read_code(pid_t child, uintptr_t at, unsigned char *code)
{
    for (int k = 0; k < 2; k++) {
        long word = ptrace(PTRACE_PEEKTEXT, child, (void *)(at + 8u * (unsigned)k), 0);
        memcpy(code + 8 * k, &word, 8);
    }
}

static struct counts run(const char *name, const char *mode)
{
    struct counts c = {0};
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (!child) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0))
            die("ptrace");
        execl("./operations", "operations", name, mode, (char *)NULL);
        die("./operations");
    }
    for (int stop = 0; stop < 2; stop++) { /* after exec, then to the first breakpoint */
        if (!trapped(child))
            die("no breakpoint");
        if (stop == 0 && ptrace(PTRACE_CONT, child, 0, 0))
            die("cont");
    }
    for (;;) {
        struct user_regs_struct regs;
        unsigned char code[16];
        if (ptrace(PTRACE_GETREGS, child, 0, &regs))
            die("registers");
        read_code(child, regs.rip, code);
        if (code[0] == 0xcc)
            break;
        classify(code, &c);
        if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) || !trapped(child))
            die("step");
    }
    ptrace(PTRACE_KILL, child, 0, 0);
    waitpid(child, NULL, 0);
    return c;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    printf("{");
    for (int k = 2; k < argc; k++) {
        struct counts c = run(argv[k], argv[1]);
        printf("%s\"%s\": %ld, \"%s_all\": %ld, \"%s_fence\": %ld, \"%s_calls\": %ld", k > 2 ? ", " : "",
               argv[k], c.atomic, argv[k], c.all, argv[k], c.fence, argv[k], c.calls);
    }
    printf("}\n");
    return 0;
}
