// Does nothing but look at the clock, for some seconds, and reports the longest time between two looks.
//     gap SECONDS
// A process that never waits sees a gap only where the CPU was taken from it. Beside it: the CPU time that the
// kernel charged for the loop, what it calls steal, and how far the hardware's clock ran away from its own.
#include <fcntl.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static long steal(void)  // of all CPUs, in ticks: the eighth number of the first line
{
    long ticks = -1;
    FILE *file = fopen("/proc/stat", "r");
    if (file && fscanf(file, "cpu %*d %*d %*d %*d %*d %*d %*d %ld", &ticks) != 1)
        ticks = -1;
    if (file)
        fclose(file);
    return ticks;
}

static int rtc_second(int file)
{
    struct rtc_time time = {0};
    ioctl(file, RTC_RD_TIME, &time);
    return (time.tm_hour * 60 + time.tm_min) * 60 + time.tm_sec;
}

static double rtc_ahead(int file)  // the hardware's clock against the kernel's, at a moment when its second changes
{
    int second = rtc_second(file), next = second;
    while (next == second)
        next = rtc_second(file);
    return next - now(CLOCK_MONOTONIC);
}

int main(int count, char **words)
{
    double seconds = count > 1 ? atof(words[1]) : 1;
    int file = open("/dev/rtc0", O_RDONLY);
    double ahead = file >= 0 ? rtc_ahead(file) : 0;
    long stolen = steal();
    printf("begun\n");
    fflush(stdout);
    double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID), last = begin, longest = 0;
    while (last < begin + seconds) {
        double next = now(CLOCK_MONOTONIC);
        if (next - last > longest)
            longest = next - last;
        last = next;
    }
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    stolen = steal() - stolen;
    ahead = file >= 0 ? rtc_ahead(file) - ahead : 0;
    printf("wall %.2f s, CPU time %.2f s, steal %ld ticks, longest gap %.2f s, hardware clock %.2f s ahead\n",
           last - begin, cpu, stolen, longest, ahead);
}
