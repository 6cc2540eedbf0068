// Makes and frees `times` communicators of one kind, one after the other.
//
//     mpiexec -n P ./create KIND TIMES
//
// Built with -DCOUNT_UCX for MPICH (device ch4:ucx), the program counts messages itself: MPICH hands each
// message to UCX, and the function below takes the place of UCX's own. Rank 0 prints the sum over the
// ranks. With Open MPI its monitoring counts, and the sum is 0.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sent;

#ifdef COUNT_UCX
// The signature of ucp/api/ucp.h with plain pointers, so that UCX's headers are not needed.
void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, uint64_t tag, const void *parameters) {
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    sent++;
    return next(endpoint, buffer, count, tag, parameters);
}
#endif

// The ids that are free differ between the halves: of `pairs` neighbouring ids the lower half keeps the
// even ones, and the upper half the odd ones.
static void make_holes(MPI_Group half, int upper, int pairs) {
    MPI_Comm *made = malloc(2 * pairs * sizeof *made);
    for (int i = 0; i < 2 * pairs; i++) MPI_Comm_create_group(MPI_COMM_WORLD, half, 7, &made[i]);
    for (int i = 0; i < 2 * pairs; i++)
        if (i % 2 != upper) MPI_Comm_free(&made[i]);
    free(made);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 1);
    const char *kind = argv[1];
    const int times = atoi(argv[2]);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int upper = rank >= ranks / 2;

    MPI_Group all, half;  // half: of the own rank
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int range[1][3] = {{upper ? ranks / 2 : 0, (upper ? ranks : ranks / 2) - 1, 1}};
    MPI_Group_range_incl(all, 1, range, &half);
    if (!strncmp(kind, "holes", 5)) make_holes(half, upper, atoi(kind + 5));

    const long before = sent;
    for (int i = 0; i < times; i++) {
        MPI_Comm made = MPI_COMM_NULL;
        if (!strcmp(kind, "group")) {
            MPI_Group same;
            MPI_Group_union(half, all, &same);
            MPI_Group_free(&same);
        } else if (!strcmp(kind, "dup") || !strncmp(kind, "holes", 5))
            MPI_Comm_dup(MPI_COMM_WORLD, &made);
        else if (!strcmp(kind, "split"))  // the two halves
            MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &made);
        else if (!strcmp(kind, "alone"))  // a communicator for each rank
            MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &made);
        else if (!strcmp(kind, "shared"))  // ranks that can share memory
            MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
        else if (!strcmp(kind, "create"))  // both halves, in one call of all ranks
            MPI_Comm_create(MPI_COMM_WORLD, half, &made);
        else if (!strcmp(kind, "create_group"))  // the lower half; the others do not call
            upper ? 0 : MPI_Comm_create_group(MPI_COMM_WORLD, half, 7, &made);
        else if (!strcmp(kind, "allreduce"))  // to compare: a collective of one number
            MPI_Allreduce(MPI_IN_PLACE, &(int){1}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    }
    long mine = sent - before, sum = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%ld\n", sum);
    MPI_Finalize();
}
