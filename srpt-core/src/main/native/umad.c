/* Management datagrams of the class Device Management through libibumad. */
#include "srpt_verbs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#define DEVICE_MANAGEMENT_CLASS 6
#define CLASS_VERSION 1
#define METHOD_GET 1
#define METHOD_SET 2
#define GENERAL_SERVICES_QKEY 0x80010000u

int srpt_umad_open(const char *device, int port, int *agent)
{
    long methods[16 / sizeof(long)];
    int umad;
    if (umad_init() < 0) {
        return -EIO;
    }
    umad = umad_open_port(device, port);
    if (umad < 0) {
        /* libibumad gives minus the error number, or -1 to -5 of its own kind. */
        return umad > -6 ? -EACCES : umad;
    }
    memset(methods, 0, sizeof(methods));
    methods[0] = 1L << METHOD_GET | 1L << METHOD_SET;
    *agent = umad_register(umad, DEVICE_MANAGEMENT_CLASS, CLASS_VERSION, 0, methods);
    if (*agent < 0) {
        umad_close_port(umad);
        return -EBUSY;
    }
    return umad;
}

int srpt_umad_descriptor(int umad)
{
    return umad_get_fd(umad);
}

int srpt_umad_receive(int umad, struct srpt_mad_record *record)
{
    /* libibumad wants its own header in front of the datagram. */
    uint8_t buffer[sizeof(struct ib_user_mad) + SRPT_MAD_BYTES];
    struct ib_user_mad *received = (struct ib_user_mad *)buffer;
    int length = SRPT_MAD_BYTES;
    int agent;
    memset(buffer, 0, sizeof(buffer));
    agent = umad_recv(umad, buffer, &length, 0);
    if (agent < 0) {
        return agent == -EWOULDBLOCK || agent == -EINTR || agent == -ETIMEDOUT ? 0 : agent;
    }
    memset(record, 0, sizeof(*record));
    record->status = (uint32_t)umad_status(buffer);
    record->length = (uint32_t)length;
    record->queue_pair = ntohl(received->addr.qpn);
    record->pkey_index = received->addr.pkey_index;
    record->gid_index = received->addr.gid_index;
    record->hop_limit = received->addr.hop_limit;
    record->has_grh = received->addr.grh_present;
    memcpy(record->gid, received->addr.gid, 16);
    memcpy(record->mad, umad_get_mad(buffer), SRPT_MAD_BYTES);
    return 1;
}

int srpt_umad_send(int umad, int agent, const struct srpt_mad_record *record)
{
    uint8_t buffer[sizeof(struct ib_user_mad) + SRPT_MAD_BYTES];
    struct ib_user_mad *request = (struct ib_user_mad *)buffer;
    int error;
    memset(buffer, 0, sizeof(buffer));
    request->addr.qpn = htonl(record->queue_pair);
    request->addr.qkey = htonl(GENERAL_SERVICES_QKEY);
    request->addr.pkey_index = (uint16_t)record->pkey_index;
    request->addr.grh_present = (uint8_t)record->has_grh;
    request->addr.gid_index = (uint8_t)record->gid_index;
    request->addr.hop_limit = (uint8_t)record->hop_limit;
    memcpy(request->addr.gid, record->gid, 16);
    memcpy(umad_get_mad(buffer), record->mad, SRPT_MAD_BYTES);
    error = umad_send(umad, agent, buffer, SRPT_MAD_BYTES, 0, 0);
    return error < 0 ? error : 0;
}

int srpt_umad_close(int umad, int agent)
{
    umad_unregister(umad, agent);
    return umad_close_port(umad);
}
