/* Two processes that talk by UCX alone, without MPI.
 *
 * ./ucp lanes             what rank 0 would use to reach rank 1, as UCX itself prints it
 * ./ucp send SIZE COUNT   COUNT messages of SIZE bytes there and as many back
 *
 * What carries the messages is decided by UCX and by the variables UCX_TLS, UCX_NET_DEVICES and others.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

static ucp_worker_h worker;

static void stop(const char *what, ucs_status_t status)
{
    if (status == UCS_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, ucs_status_string(status));
    exit(1);
}

/* Lets UCX work until the request is complete. */
static void finish(ucs_status_ptr_t request)
{
    if (UCS_PTR_IS_ERR(request))
        stop("request", UCS_PTR_STATUS(request));
    if (!request)
        return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS)
        ucp_worker_progress(worker);
    stop("request", ucp_request_check_status(request));
    ucp_request_free(request);
}

/* The other process died, so no message will come. */
static void orphaned(int signal)
{
    (void)signal;
    _exit(1);
}

static void transfer(int fd, void *data, size_t size, int writing)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = writing ? write(fd, (char *)data + done, size - done) : read(fd, (char *)data + done, size - done);
        if (n <= 0)
            exit(1);
        done += n;
    }
}

int main(int argc, char **argv)
{
    int lanes = argc > 1 && !strcmp(argv[1], "lanes");
    size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 8;
    long count = argc > 3 ? atol(argv[3]) : 1;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    signal(SIGCHLD, orphaned);
    pid_t child = fork(); /* before UCX starts: each process has its own context */
    int rank = child == 0, fd = ends[rank];

    ucp_config_t *config;
    ucp_context_h context;
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_TAG};
    ucp_worker_params_t single = {.field_mask = 0};
    stop("ucp_config_read", ucp_config_read(NULL, NULL, &config));
    stop("ucp_init", ucp_init(&params, config, &context));
    stop("ucp_worker_create", ucp_worker_create(context, &single, &worker));

    /* The address lists the transports and devices of this process. The two swap addresses by a socket, as
     * an MPI does by its launcher; then each selects the transports that both have. */
    ucp_address_t *mine;
    size_t length, other;
    stop("ucp_worker_get_address", ucp_worker_get_address(worker, &mine, &length));
    transfer(fd, &length, sizeof length, 1);
    transfer(fd, mine, length, 1);
    transfer(fd, &other, sizeof other, 0);
    void *theirs = malloc(other);
    transfer(fd, theirs, other, 0);
    ucp_ep_h peer;
    ucp_ep_params_t to = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS, .address = theirs};
    stop("ucp_ep_create", ucp_ep_create(worker, &to, &peer));

    char *out = malloc(size + 1), *in = malloc(size + 1);
    memset(out, 1, size + 1);
    memset(in, 2, size + 1);
    ucp_request_param_t plain = {.op_attr_mask = 0};
    for (long i = 0; i < count; i++)
        for (int turn = 0; turn < 2; turn++)
            finish(turn == rank ? ucp_tag_send_nbx(peer, out, size, 7, &plain)
                                : ucp_tag_recv_nbx(worker, in, size, 7, ~0ull, &plain));
    if (memcmp(in, out, size))
        return fprintf(stderr, "wrong bytes\n"), 1;
    if (lanes && !rank)
        ucp_ep_print_info(peer, stdout);
    fflush(stdout);

    signal(SIGCHLD, SIG_DFL);
    /* Both wait for each other, then end without a goodbye of UCX, which could add calls. */
    transfer(fd, &rank, sizeof rank, 1);
    transfer(fd, &lanes, sizeof lanes, 0);
    int status = 0;
    if (child)
        waitpid(child, &status, 0);
    _exit(status != 0);
}
