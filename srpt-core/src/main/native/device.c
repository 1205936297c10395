/* Devices, ports, GID tables and asynchronous events. */
#include "srpt_verbs.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

const char *srpt_device_name(int index, char *name, int size)
{
    int count = 0;
    struct ibv_context **contexts = rdma_get_devices(&count);
    const char *found = NULL;
    if (contexts == NULL) {
        return NULL;
    }
    if (index >= 0 && index < count) {
        snprintf(name, (size_t)size, "%s", ibv_get_device_name(contexts[index]->device));
        found = name;
    }
    rdma_free_devices(contexts);
    return found;
}

struct ibv_context *srpt_device_context(const char *name)
{
    int count = 0;
    struct ibv_context **contexts = rdma_get_devices(&count);
    struct ibv_context *found = NULL;
    if (contexts == NULL) {
        return NULL;
    }
    for (int i = 0; i < count && found == NULL; i++) {
        if (strcmp(ibv_get_device_name(contexts[i]->device), name) == 0) {
            found = contexts[i];
        }
    }
    /* Frees the list; the contexts are librdmacm's and stay open. */
    rdma_free_devices(contexts);
    if (found == NULL) {
        errno = ENODEV;
    }
    return found;
}

int srpt_query_device(struct ibv_context *context, struct srpt_device_record *record)
{
    struct ibv_device_attr attributes;
    int error = ibv_query_device(context, &attributes);
    if (error != 0) {
        return -error;
    }
    memset(record, 0, sizeof(*record));
    record->node_guid = be64toh(attributes.node_guid);
    record->vendor_id = attributes.vendor_id;
    record->vendor_part_id = attributes.vendor_part_id;
    record->hardware_version = attributes.hw_ver;
    record->max_qp_requests = (uint32_t)attributes.max_qp_wr;
    record->max_srq_requests = (uint32_t)attributes.max_srq_wr;
    record->max_segments = (uint32_t)attributes.max_sge;
    record->max_reads = (uint32_t)(attributes.max_qp_rd_atom < attributes.max_qp_init_rd_atom
                                       ? attributes.max_qp_rd_atom
                                       : attributes.max_qp_init_rd_atom);
    record->local_ack_delay = attributes.local_ca_ack_delay;
    record->ports = attributes.phys_port_cnt;
    return 0;
}

int srpt_query_port(struct ibv_context *context, int port, struct srpt_port_record *record)
{
    struct ibv_port_attr attributes;
    int error = ibv_query_port(context, (uint8_t)port, &attributes);
    if (error != 0) {
        return -error;
    }
    record->state = attributes.state;
    record->active_mtu = 128u << attributes.active_mtu;
    record->gids = (uint32_t)attributes.gid_tbl_len;
    record->capabilities = attributes.port_cap_flags;
    return 0;
}

int srpt_query_gid(struct ibv_context *context, int port, int index, struct srpt_gid_record *record)
{
    struct ibv_gid_entry entry;
    int error = ibv_query_gid_ex(context, (uint32_t)port, (uint32_t)index, &entry, 0);
    if (error != 0) {
        return -error;
    }
    if (entry.gid_type == IBV_GID_TYPE_ROCE_V1) {
        return -ENOENT;
    }
    memcpy(record->gid, entry.gid.raw, 16);
    record->interface = entry.ndev_ifindex;
    return 0;
}

int srpt_async_event(struct ibv_context *context, struct srpt_async_record *record)
{
    struct ibv_async_event event;
    if (ibv_get_async_event(context, &event) != 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    }
    record->type = event.event_type;
    record->port = 0;
    record->element = 0;
    switch (event.event_type) {
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
        record->port = (uint32_t)event.element.port_num;
        break;
    case IBV_EVENT_DEVICE_FATAL:
        break;
    default:
        record->element = (uint64_t)(uintptr_t)event.element.qp;
        break;
    }
    ibv_ack_async_event(&event);
    return 1;
}

int srpt_nonblocking(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}
