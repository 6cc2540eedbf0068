// Takes up memory as its arguments say, one after the other:
//     anon:16        16 MiB of anonymous memory, every page written
//     map:16         the same, never touched
//     again:5        write to all of it five times more
//     read:FILE      read a file from beginning to end
//     write:FILE:16  write 16 MiB into a file
//     files:DIR:100  make 100 empty files
//     udp:4          4 MiB of datagrams that nobody receives
//     fork           make a child, which waits
//     say            print the page faults so far, and ready
//     wait           wait for a signal
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MIB = 1 << 20, PAGE = 4096 };
static char *area;
static size_t bytes;
static char block[64 << 10];

static void check(long result, const char *what) {
    if (result >= 0)
        return;
    printf("%s %s\n", what, strerrorname_np(errno));
    exit(1);
}

static void touch(int times) {
    for (int t = 0; t < times; t++)
        for (size_t i = 0; i < bytes; i += PAGE)
            area[i]++;
}

static void map(size_t mib) {
    bytes = mib * MIB;
    area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(area == MAP_FAILED ? -1 : 0, "mmap");
}

static void read_file(const char *name) {
    int file = open(name, O_RDONLY);
    check(file, name);
    while (read(file, block, sizeof block) > 0)
        ;
    close(file);
}

static void write_file(const char *name, size_t mib) {
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    check(file, name);
    for (size_t i = 0; i < mib * MIB; i += sizeof block)
        check(write(file, block, sizeof block), "write");
    close(file);
}

static void files(const char *folder, int count) {
    char name[200];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/%d", folder, i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        check(file, name);
        close(file);
    }
}

static void udp(size_t mib) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9999)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int room = 64 * MIB;
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    check(setsockopt(in, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room), "SO_RCVBUFFORCE");
    check(bind(in, (void *)&to, sizeof to), "bind");
    for (size_t i = 0; i < mib * MIB; i += 8192)
        check(sendto(out, block, 8192, 0, (void *)&to, sizeof to), "sendto");
}

static void say(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("%ld %ld ready\n", use.ru_minflt, use.ru_majflt);
    fflush(stdout);
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        char *word = strtok(arguments[i], ":"), *first = strtok(NULL, ":");
        char *second = strtok(NULL, ":");
        if (!strcmp(word, "anon"))
            map(atoi(first)), touch(1);
        else if (!strcmp(word, "map"))
            map(atoi(first));
        else if (!strcmp(word, "again"))
            touch(atoi(first));
        else if (!strcmp(word, "read"))
            read_file(first);
        else if (!strcmp(word, "write"))
            write_file(first, atoi(second));
        else if (!strcmp(word, "files"))
            files(first, atoi(second));
        else if (!strcmp(word, "udp"))
            udp(atoi(first));
        else if (!strcmp(word, "say"))
            say();
        else if (!strcmp(word, "wait"))
            pause();
        else if (!strcmp(word, "fork")) {
            int child = fork();
            check(child, "fork");
            if (!child)
                pause();
        }
    }
}
