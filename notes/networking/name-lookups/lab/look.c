/* Resolves each name of its input by getaddrinfo, one line of output for each.
 * look [-4] [-c]    -4: IPv4 alone, -c: with AI_ADDRCONFIG */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list, *each;
    char name[300], text[INET6_ADDRSTRLEN];
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-4"))
            hints.ai_family = AF_INET;
        if (!strcmp(argv[i], "-c"))
            hints.ai_flags |= AI_ADDRCONFIG;
    }
    while (scanf("%299s", name) == 1) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        int error = getaddrinfo(name, NULL, &hints, &list);
        clock_gettime(CLOCK_MONOTONIC, &to);
        printf("%.3f", to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9);
        if (!error) {
            for (each = list; each; each = each->ai_next) {
                getnameinfo(each->ai_addr, each->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST);
                printf(" %s", text);
            }
            freeaddrinfo(list);
        }
        puts("");
        fflush(stdout);
    }
}
