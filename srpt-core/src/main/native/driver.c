/*
 * Exercises the C part without Java, for address sanitizer and valgrind: `driver ADDRESS PORT` on a machine whose RDMA device
 * has that IPv4 address. Both ends are here. Prints `driver ok` at the end, else what failed, and exits with 1.
 */
#include "srpt_verbs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 8192
#define DEPTH 16
#define WAIT_MS 20000
#define QKEY 0x11223344u

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            printf("driver failed: line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

struct end {
    struct rdma_cm_id *id;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_srq *srq;
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    uint8_t *memory;
};

static struct rdma_event_channel *channel;

static void await_event(enum rdma_cm_event_type type, struct srpt_cm_record *record)
{
    struct pollfd poller = {.fd = channel->fd, .events = POLLIN};
    while (srpt_cm_event(channel, record) == 0) {
        CHECK(poll(&poller, 1, WAIT_MS) == 1);
    }
    if (record->type != type) {
        printf("driver failed: event %u with %d in place of %u\n", record->type, record->status, type);
        exit(1);
    }
}

static void await_completion(struct ibv_cq *cq, uint64_t wr_id, enum ibv_wc_status status)
{
    struct ibv_wc completion;
    int polled = 0;
    for (int i = 0; polled == 0 && i < WAIT_MS; i++) {
        polled = ibv_poll_cq(cq, 1, &completion);
        if (polled == 0) {
            poll(NULL, 0, 1);
        }
    }
    CHECK(polled == 1);
    CHECK(completion.wr_id == wr_id);
    CHECK(completion.status == status);
}

static void open_end(struct end *end, struct ibv_context *context, int shared)
{
    struct srpt_qp_init init;
    memset(&init, 0, sizeof(init));
    CHECK((end->pd = ibv_alloc_pd(context)) != NULL);
    CHECK((end->cq = ibv_create_cq(context, 4 * DEPTH, NULL, NULL, 0)) != NULL);
    CHECK((end->memory = calloc(1, BYTES)) != NULL);
    CHECK((end->mr = ibv_reg_mr(end->pd, end->memory, BYTES,
                                IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)) != NULL);
    if (shared) {
        CHECK((end->srq = srpt_create_srq(end->pd, DEPTH, 2)) != NULL);
    }
    init.pd = end->pd;
    init.send_cq = end->cq;
    init.receive_cq = end->cq;
    init.srq = end->srq;
    init.sends = DEPTH;
    init.receives = DEPTH;
    init.send_segments = 2;
    init.receive_segments = 2;
    CHECK((end->qp = srpt_create_qp(&init)) != NULL);
    CHECK(srpt_qp_state(end->qp) == IBV_QPS_RESET);
}

static void close_end(struct end *end)
{
    CHECK(ibv_destroy_qp(end->qp) == 0);
    CHECK(end->srq == NULL || ibv_destroy_srq(end->srq) == 0);
    CHECK(ibv_destroy_cq(end->cq) == 0);
    CHECK(ibv_dereg_mr(end->mr) == 0);
    CHECK(ibv_dealloc_pd(end->pd) == 0);
    CHECK(rdma_destroy_id(end->id) == 0);
    free(end->memory);
}

static void post_receive(struct end *end, uint64_t wr_id, int length)
{
    struct ibv_sge segment = {.addr = (uintptr_t)end->memory, .length = (uint32_t)length, .lkey = end->mr->lkey};
    struct ibv_recv_wr request = {.wr_id = wr_id, .sg_list = &segment, .num_sge = 1};
    struct ibv_recv_wr *bad = NULL;
    if (end->srq != NULL) {
        CHECK(srpt_post_srq(end->srq, wr_id, &segment, 1) == 0);
    } else {
        CHECK(ibv_post_recv(end->qp, &request, &bad) == 0);
    }
}

static void post(struct end *end, uint64_t wr_id, enum ibv_wr_opcode opcode, int length, struct end *peer)
{
    struct srpt_send send;
    memset(&send, 0, sizeof(send));
    send.wr_id = wr_id;
    send.opcode = opcode;
    send.flags = IBV_SEND_SIGNALED | IBV_SEND_SOLICITED;
    send.remote_address = (uintptr_t)peer->memory;
    send.remote_key = peer->mr->rkey;
    send.segments = 2;
    send.segment[0].addr = (uintptr_t)end->memory;
    send.segment[0].length = (uint32_t)length / 2;
    send.segment[0].lkey = end->mr->lkey;
    send.segment[1] = send.segment[0];
    send.segment[1].addr += (uint32_t)length / 2;
    CHECK(srpt_post_send(end->qp, &send) == 0);
    await_completion(end->cq, wr_id, IBV_WC_SUCCESS);
}

static void fill(struct end *end, int seed)
{
    for (int i = 0; i < BYTES; i++) {
        end->memory[i] = (uint8_t)(i * 7 + seed);
    }
}

static void connect_both(struct end *active, struct end *passive, struct rdma_cm_id *listener, const uint8_t gid[16], int port)
{
    struct srpt_cm_record record;
    struct srpt_cm_parameters parameters;
    CHECK(rdma_create_id(channel, &active->id, NULL, RDMA_PS_TCP) == 0);
    CHECK(srpt_cm_resolve(active->id, gid, gid, 0, port, 2000) == 0);
    await_event(RDMA_CM_EVENT_ADDR_RESOLVED, &record);
    CHECK(rdma_resolve_route(active->id, 2000) == 0);
    await_event(RDMA_CM_EVENT_ROUTE_RESOLVED, &record);
    open_end(active, active->id->verbs, 0);
    CHECK(srpt_qp_by_cm(active->qp, active->id, IBV_QPS_INIT, 0, 0) == 0);

    memset(&parameters, 0, sizeof(parameters));
    parameters.qp_number = active->qp->qp_num;
    parameters.responder_resources = 4;
    parameters.initiator_depth = 4;
    parameters.retry_count = 7;
    parameters.rnr_retry_count = 7;
    parameters.private_length = 56;
    memset(parameters.private_data, 0xA5, 56);
    CHECK(srpt_cm_connect(active->id, &parameters) == 0);

    await_event(RDMA_CM_EVENT_CONNECT_REQUEST, &record);
    CHECK(record.listen_id == (uintptr_t)listener);
    CHECK(record.private_length == 56 && record.private_data[0] == 0xA5 && record.private_data[55] == 0xA5);
    CHECK(memcmp(record.local_gid, gid, 16) == 0 && record.local_port == (uint32_t)port);
    passive->id = (struct rdma_cm_id *)(uintptr_t)record.id;
    open_end(passive, passive->id->verbs, 1);
    CHECK(srpt_qp_by_cm(passive->qp, passive->id, IBV_QPS_INIT, 0, 0) == 0);
    post_receive(passive, 1, BYTES);
    CHECK(srpt_qp_by_cm(passive->qp, passive->id, IBV_QPS_RTR, 4, 12) == 0);
    CHECK(srpt_qp_by_cm(passive->qp, passive->id, IBV_QPS_RTS, 4, 12) == 0);
    memset(&parameters, 0, sizeof(parameters));
    parameters.qp_number = passive->qp->qp_num;
    parameters.srq = 1;
    parameters.responder_resources = 4;
    parameters.initiator_depth = 4;
    parameters.rnr_retry_count = 7;
    parameters.private_length = 52;
    memset(parameters.private_data, 0x5A, 52);
    CHECK(srpt_cm_accept(passive->id, &parameters) == 0);

    await_event(RDMA_CM_EVENT_CONNECT_RESPONSE, &record);
    CHECK(record.private_length >= 52 && record.private_data[0] == 0x5A && record.private_data[51] == 0x5A);
    CHECK(srpt_qp_by_cm(active->qp, active->id, IBV_QPS_RTR, 4, 12) == 0);
    CHECK(srpt_qp_by_cm(active->qp, active->id, IBV_QPS_RTS, 4, 12) == 0);
    CHECK(srpt_cm_establish(active->id) == 0);
    await_event(RDMA_CM_EVENT_ESTABLISHED, &record);
    CHECK(record.id == (uintptr_t)passive->id);
}

static void move_data(struct end *active, struct end *passive)
{
    fill(active, 1);
    post(active, 10, IBV_WR_SEND, 3000, passive);
    await_completion(passive->cq, 1, IBV_WC_SUCCESS);
    CHECK(memcmp(active->memory, passive->memory, 3000) == 0);
    fill(active, 2);
    post(active, 11, IBV_WR_RDMA_WRITE, BYTES, passive);
    CHECK(memcmp(active->memory, passive->memory, BYTES) == 0);
    fill(passive, 3);
    post(active, 12, IBV_WR_RDMA_READ, BYTES, passive);
    CHECK(memcmp(active->memory, passive->memory, BYTES) == 0);
}

static void disconnect(struct end *active, struct end *passive)
{
    struct srpt_cm_record record;
    post_receive(active, 20, 100);
    CHECK(srpt_qp_to_error(active->qp) == 0);
    await_completion(active->cq, 20, IBV_WC_WR_FLUSH_ERR);
    CHECK(rdma_disconnect(active->id) == 0);
    await_event(RDMA_CM_EVENT_DISCONNECTED, &record);
    CHECK(record.id == (uintptr_t)passive->id);
    CHECK(rdma_disconnect(passive->id) == 0);
    await_event(RDMA_CM_EVENT_DISCONNECTED, &record);
    CHECK(record.id == (uintptr_t)active->id);
    close_end(active);
    close_end(passive);
}

static void refuse(const uint8_t gid[16], int port)
{
    struct srpt_cm_record record;
    struct srpt_cm_parameters parameters;
    struct rdma_cm_id *asking = NULL;
    uint8_t reason[20];
    memset(reason, 0x77, sizeof(reason));
    memset(&parameters, 0, sizeof(parameters));
    parameters.qp_number = 0x123;
    parameters.private_length = 56;
    CHECK(rdma_create_id(channel, &asking, NULL, RDMA_PS_TCP) == 0);
    CHECK(srpt_cm_resolve(asking, gid, gid, 0, port, 2000) == 0);
    await_event(RDMA_CM_EVENT_ADDR_RESOLVED, &record);
    CHECK(rdma_resolve_route(asking, 2000) == 0);
    await_event(RDMA_CM_EVENT_ROUTE_RESOLVED, &record);
    CHECK(srpt_cm_connect(asking, &parameters) == 0);
    await_event(RDMA_CM_EVENT_CONNECT_REQUEST, &record);
    CHECK(srpt_cm_reject((struct rdma_cm_id *)(uintptr_t)record.id, reason, sizeof(reason)) == 0);
    CHECK(rdma_destroy_id((struct rdma_cm_id *)(uintptr_t)record.id) == 0);
    await_event(RDMA_CM_EVENT_REJECTED, &record);
    CHECK(record.status == 28 && record.private_length >= sizeof(reason));
    CHECK(memcmp(record.private_data, reason, sizeof(reason)) == 0);
    CHECK(rdma_destroy_id(asking) == 0);
}

static void send_datagram(struct ibv_context *context, int gid_index, const uint8_t gid[16])
{
    struct srpt_qp_init init;
    struct srpt_path path;
    struct ibv_send_wr request;
    struct ibv_send_wr *bad_send = NULL;
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_cq *cq = ibv_create_cq(context, DEPTH, NULL, NULL, 0);
    uint8_t *memory = calloc(1, BYTES);
    struct ibv_mr *mr = ibv_reg_mr(pd, memory, BYTES, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_sge segment = {.addr = (uintptr_t)memory, .length = 296, .lkey = mr->lkey};
    struct ibv_sge source = segment;
    struct ibv_recv_wr receive = {.wr_id = 1, .sg_list = &segment, .num_sge = 1};
    struct ibv_recv_wr *bad = NULL;
    struct ibv_qp *qp;
    struct ibv_ah *ah;
    memset(&init, 0, sizeof(init));
    init.pd = pd;
    init.send_cq = cq;
    init.receive_cq = cq;
    init.datagram = 1;
    init.sends = init.receives = DEPTH;
    init.send_segments = init.receive_segments = 1;
    CHECK((qp = srpt_create_qp(&init)) != NULL);
    CHECK(srpt_qp_to_init(qp, 1, 0, 0, QKEY) == 0);
    CHECK(srpt_qp_to_rtr(qp, NULL, 0, 0, 0, 0, 0) == 0);
    CHECK(srpt_qp_to_rts(qp, 0, 0, 0, 0, 0) == 0);
    CHECK(ibv_post_recv(qp, &receive, &bad) == 0);
    memset(&path, 0, sizeof(path));
    memcpy(path.destination, gid, 16);
    path.source_gid_index = (uint32_t)gid_index;
    path.hop_limit = 64;
    path.port = 1;
    CHECK((ah = srpt_create_ah(pd, &path)) != NULL);
    memset(&request, 0, sizeof(request));
    source.addr += 1024;
    source.length = 256;
    request.wr_id = 2;
    request.sg_list = &source;
    request.num_sge = 1;
    request.opcode = IBV_WR_SEND;
    request.send_flags = IBV_SEND_SIGNALED;
    request.wr.ud.ah = ah;
    request.wr.ud.remote_qpn = qp->qp_num;
    request.wr.ud.remote_qkey = QKEY;
    CHECK(ibv_post_send(qp, &request, &bad_send) == 0);
    for (int i = 0; i < 2; i++) {
        struct ibv_wc completion;
        int polled = 0;
        for (int tries = 0; polled == 0 && tries < WAIT_MS; tries++) {
            polled = ibv_poll_cq(cq, 1, &completion);
            poll(NULL, 0, polled == 0);
        }
        CHECK(polled == 1 && completion.status == IBV_WC_SUCCESS);
    }
    CHECK(ibv_destroy_ah(ah) == 0);
    CHECK(ibv_destroy_qp(qp) == 0);
    CHECK(ibv_destroy_cq(cq) == 0);
    CHECK(ibv_dereg_mr(mr) == 0);
    CHECK(ibv_dealloc_pd(pd) == 0);
    free(memory);
}

int main(int count, char **arguments)
{
    uint8_t gid[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    char name[64];
    struct end active;
    struct end passive;
    struct rdma_cm_id *listener = NULL;
    struct srpt_device_record device;
    struct srpt_port_record port_record;
    struct srpt_gid_record gid_record;
    struct srpt_async_record async;
    struct ibv_context *context;
    int gid_index = -1;
    int port;
    CHECK(count == 3);
    CHECK(inet_pton(AF_INET, arguments[1], gid + 12) == 1);
    port = atoi(arguments[2]);

    CHECK(srpt_device_name(0, name, sizeof(name)) != NULL);
    CHECK(srpt_device_context("no such device") == NULL);
    CHECK((context = srpt_device_context(name)) != NULL);
    CHECK(srpt_query_device(context, &device) == 0 && device.max_qp_requests > 0 && device.ports >= 1);
    CHECK(srpt_query_port(context, 1, &port_record) == 0 && port_record.active_mtu >= 256);
    for (int i = 0; i < (int)port_record.gids; i++) {
        if (srpt_query_gid(context, 1, i, &gid_record) == 0 && memcmp(gid_record.gid, gid, 16) == 0) {
            gid_index = i;
        }
    }
    CHECK(gid_index >= 0);
    CHECK(srpt_nonblocking(context->async_fd) == 0);
    CHECK(srpt_async_event(context, &async) >= 0);

    CHECK((channel = rdma_create_event_channel()) != NULL);
    CHECK(srpt_nonblocking(channel->fd) == 0);
    CHECK(rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP) == 0);
    CHECK(srpt_cm_bind(listener, gid, 0, port) == 0);
    CHECK(rdma_listen(listener, 8) == 0);
    for (int round = 0; round < 3; round++) {
        memset(&active, 0, sizeof(active));
        memset(&passive, 0, sizeof(passive));
        connect_both(&active, &passive, listener, gid, port);
        move_data(&active, &passive);
        disconnect(&active, &passive);
        refuse(gid, port);
    }
    send_datagram(context, gid_index, gid);
    CHECK(rdma_destroy_id(listener) == 0);
    rdma_destroy_event_channel(channel);
    printf("driver ok\n");
    return 0;
}
