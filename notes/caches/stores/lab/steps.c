/* What one call of memcpy, memmove or memset executes: a child does it, one instruction at a time.
 *
 *   steps memcpy|overlap|memset BYTES      counts, as JSON
 *
 * Counted is what stands between two int3: the loads of pointer and arguments, the call, the function.
 * A string instruction such as rep movsb stops after each piece that it moves, and is counted once.
 * The opcodes of non-temporal stores are the same in their SSE, AVX and AVX-512 forms. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

typedef unsigned char byte;
typedef struct { long instructions, rep_movs, rep_stos, streams, streamed, sfence, widest; } tally;

static void fail(const char *why)
{
    fprintf(stderr, "steps: %s\n", why);
    exit(1);
}

/* The opcode behind the prefixes, if it is of the two-byte map 0f, and the width of a vector. */
static const byte *opcode_0f(const byte *p, long *width)
{
    while (*p == 0x66 || *p == 0xf2 || *p == 0xf3 || *p == 0x2e || *p == 0x3e)
        p++;
    *width = 16;
    if (*p == 0xc5) {                                   /* VEX, two bytes */
        *width = p[1] & 4 ? 32 : 16;
        return p + 2;
    }
    if (*p == 0xc4) {                                   /* VEX, three bytes */
        *width = p[2] & 4 ? 32 : 16;
        return (p[1] & 31) == 1 ? p + 3 : NULL;
    }
    if (*p == 0x62) {                                   /* EVEX */
        *width = 16 << (p[3] >> 5 & 3);
        return (p[1] & 7) == 1 ? p + 4 : NULL;
    }
    if ((*p & 0xf0) == 0x40)                            /* REX */
        p++;
    return *p == 0x0f ? p + 1 : NULL;
}

static void classify(const byte *code, tally *t)
{
    const byte *p = code;
    long width;
    t->instructions++;
    if (p[0] == 0xf3) {
        byte op = (p[1] & 0xf8) == 0x48 ? p[2] : p[1];
        t->rep_movs += op == 0xa4 || op == 0xa5;
        t->rep_stos += op == 0xaa || op == 0xab;
    }
    p = opcode_0f(code, &width);
    if (!p)
        return;
    if (*p == 0xe7 || *p == 0x2b || *p == 0xc3) {       /* movntdq, movntps, movnti */
        t->streams++;
        t->streamed += *p == 0xc3 ? 8 : width;
    }
    t->sfence += p[0] == 0xae && p[1] == 0xf8;
    /* Loads and stores of vectors: movups, movaps, movdqa, movdqu and their kin. */
    int vector = *p == 0x10 || *p == 0x11 || *p == 0x28 || *p == 0x29 || *p == 0x6f || *p == 0x7f;
    if ((vector || *p == 0xe7) && width > t->widest)
        t->widest = width;
}

static void child(const char *what, size_t bytes)
{
    char *area = aligned_alloc(1 << 21, 2 * bytes + (1 << 22));
    if (!area)
        fail("no memory");
    memset(area, 1, 2 * bytes + (1 << 22));
    char *far = area + bytes + (1 << 20);
    void *(*volatile move)(void *, const void *, size_t) = what[0] == 'o' ? memmove : memcpy;
    void *(*volatile set)(void *, int, size_t) = memset;
    char *from = area, *to = what[0] == 'o' ? area + 64 : far;
    /* Once without watching: the dynamic linker's work is done, and the pages are there. */
    move(to, from, bytes);
    set(to, 1, bytes);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    if (what[3] == 's') {
        __asm__ volatile("int3");
        set(to, 1, bytes);
        __asm__ volatile("int3");
    } else {
        __asm__ volatile("int3");
        move(to, from, bytes);
        __asm__ volatile("int3");
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    pid_t pid = fork();
    if (pid == 0)
        child(argv[1], strtoull(argv[2], NULL, 10));
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
        fail("cannot trace");
    tally t = {0};
    unsigned long long last = 0;
    int marks = 0;
    for (;;) {
        struct user_regs_struct regs;
        long words[2];
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) < 0)
            fail("cannot step");
        if (!WIFSTOPPED(status))
            fail("the child ended early");
        ptrace(PTRACE_GETREGS, pid, NULL, &regs);
        for (int i = 0; i < 2; i++)
            words[i] = ptrace(PTRACE_PEEKTEXT, pid, (void *)(regs.rip + 8 * i), NULL);
        const byte *code = (const byte *)words;
        if (code[0] == 0xcc && ++marks == 2)
            break;
        if (marks == 1 && code[0] != 0xcc && regs.rip != last)
            classify(code, &t);
        last = regs.rip;
    }
    kill(pid, SIGKILL);
    printf("{\"instructions\": %ld, \"rep_movs\": %ld, \"rep_stos\": %ld, \"streams\": %ld, "
           "\"streamed\": %ld, \"sfence\": %ld, \"widest\": %ld}\n",
           t.instructions, t.rep_movs, t.rep_stos, t.streams, t.streamed, t.sfence, t.widest);
    return 0;
}
