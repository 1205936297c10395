/* Connections through RDMA/CM. */
#include "srpt_verbs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

static const uint8_t mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

union srpt_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage storage;
};

static void address_of(const uint8_t gid[16], uint32_t scope, int port, union srpt_address *address)
{
    memset(address, 0, sizeof(*address));
    if (memcmp(gid, mapped_prefix, sizeof(mapped_prefix)) == 0) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons((uint16_t)port);
        memcpy(&address->v4.sin_addr, gid + 12, 4);
        return;
    }
    address->v6.sin6_family = AF_INET6;
    address->v6.sin6_port = htons((uint16_t)port);
    address->v6.sin6_scope_id = gid[0] == 0xFE && (gid[1] & 0xC0) == 0x80 ? scope : 0;
    memcpy(&address->v6.sin6_addr, gid, 16);
}

static uint32_t gid_of(const struct sockaddr *address, uint8_t gid[16])
{
    memset(gid, 0, 16);
    if (address != NULL && address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        memcpy(gid, mapped_prefix, sizeof(mapped_prefix));
        memcpy(gid + 12, &v4->sin_addr, 4);
        return ntohs(v4->sin_port);
    }
    if (address != NULL && address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        memcpy(gid, &v6->sin6_addr, 16);
        return ntohs(v6->sin6_port);
    }
    return 0;
}

int srpt_cm_event(struct rdma_event_channel *channel, struct srpt_cm_record *record)
{
    struct rdma_cm_event *event = NULL;
    const struct rdma_conn_param *parameters;
    if (rdma_get_cm_event(channel, &event) != 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    }
    memset(record, 0, sizeof(*record));
    record->type = event->event;
    record->status = event->status;
    record->id = (uint64_t)(uintptr_t)event->id;
    record->listen_id = (uint64_t)(uintptr_t)event->listen_id;
    record->context = (uint64_t)(uintptr_t)event->id->verbs;
    record->port = event->id->port_num;
    record->local_port = gid_of(rdma_get_local_addr(event->id), record->local_gid);
    record->remote_port = gid_of(rdma_get_peer_addr(event->id), record->remote_gid);
    parameters = &event->param.conn;
    switch (event->event) {
    case RDMA_CM_EVENT_CONNECT_REQUEST:
    case RDMA_CM_EVENT_CONNECT_RESPONSE:
    case RDMA_CM_EVENT_ESTABLISHED:
    case RDMA_CM_EVENT_REJECTED:
        record->responder_resources = parameters->responder_resources;
        record->initiator_depth = parameters->initiator_depth;
        record->retry_count = parameters->retry_count;
        record->rnr_retry_count = parameters->rnr_retry_count;
        record->remote_qp = parameters->qp_num;
        if (parameters->private_data != NULL) {
            record->private_length = parameters->private_data_len;
            memcpy(record->private_data, parameters->private_data, parameters->private_data_len);
        }
        break;
    default:
        break;
    }
    rdma_ack_cm_event(event);
    return 1;
}

int srpt_cm_bind(struct rdma_cm_id *id, const uint8_t gid[16], uint32_t scope, int port)
{
    union srpt_address address;
    address_of(gid, scope, port, &address);
    return rdma_bind_addr(id, &address.any) != 0 ? -errno : 0;
}

int srpt_cm_resolve(struct rdma_cm_id *id, const uint8_t source[16], const uint8_t destination[16], uint32_t scope,
                    int port, int timeout_ms)
{
    union srpt_address from;
    union srpt_address to;
    address_of(source, scope, 0, &from);
    address_of(destination, scope, port, &to);
    return rdma_resolve_addr(id, &from.any, &to.any, timeout_ms) != 0 ? -errno : 0;
}

static void fill(struct rdma_conn_param *to, const struct srpt_cm_parameters *from)
{
    memset(to, 0, sizeof(*to));
    to->private_data = from->private_data;
    to->private_data_len = (uint8_t)from->private_length;
    to->responder_resources = (uint8_t)from->responder_resources;
    to->initiator_depth = (uint8_t)from->initiator_depth;
    to->retry_count = (uint8_t)from->retry_count;
    to->rnr_retry_count = (uint8_t)from->rnr_retry_count;
    to->srq = (uint8_t)from->srq;
    to->qp_num = from->qp_number;
}

int srpt_cm_connect(struct rdma_cm_id *id, const struct srpt_cm_parameters *parameters)
{
    struct rdma_conn_param connection;
    fill(&connection, parameters);
    return rdma_connect(id, &connection) != 0 ? -errno : 0;
}

int srpt_cm_accept(struct rdma_cm_id *id, const struct srpt_cm_parameters *parameters)
{
    struct rdma_conn_param connection;
    fill(&connection, parameters);
    return rdma_accept(id, &connection) != 0 ? -errno : 0;
}

int srpt_cm_reject(struct rdma_cm_id *id, const void *data, int length)
{
    return rdma_reject(id, data, (uint8_t)length) != 0 ? -errno : 0;
}

int srpt_cm_establish(struct rdma_cm_id *id)
{
    return rdma_establish(id) != 0 ? -errno : 0;
}

int srpt_cm_notify(struct rdma_cm_id *id)
{
    return rdma_notify(id, IBV_EVENT_COMM_EST) != 0 ? -errno : 0;
}
