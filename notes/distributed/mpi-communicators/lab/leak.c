// Duplicates MPI_COMM_WORLD until that fails or `most` duplicates are made.
//
//     mpiexec -n 2 ./leak MODE MOST
//
// kept: no duplicate is freed; freed: each is; apart: first each rank makes communicators of MPI_COMM_SELF
// and frees every second one, rank 0 the even ones and rank 1 the odd ones, so that no id is free on both.
// Rank 0 prints the number of duplicates and the last line of the error, or "none".

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 1);
    const int freed = !strcmp(argv[1], "freed"), most = atoi(argv[2]);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);

    if (!strcmp(argv[1], "apart")) {
        MPI_Comm *made = malloc(most * sizeof *made);
        int own = 0;
        while (own < most && MPI_Comm_dup(MPI_COMM_SELF, &made[own]) == MPI_SUCCESS) own++;
        for (int i = rank; i < own; i += 2) MPI_Comm_free(&made[i]);
        free(made);
    }
    int made = 0, error = MPI_SUCCESS;
    while (made < most) {
        MPI_Comm copy;
        error = MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        if (error != MPI_SUCCESS) break;
        made++;
        if (freed) MPI_Comm_free(&copy);
    }
    if (rank == 0) {
        char text[MPI_MAX_ERROR_STRING] = "none";
        int length;
        if (error != MPI_SUCCESS) MPI_Error_string(error, text, &length);
        char *line = strrchr(text, '\n');
        if (line && !line[1]) *line = 0, line = strrchr(text, '\n');
        printf("%d %s\n", made, line ? line + 1 : text);
    }
    MPI_Finalize();
}
