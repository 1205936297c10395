/*
 * What the Java side needs of libibverbs, librdmacm and libibumad, as plain C functions on flat records.
 *
 * Handles are the libraries' own pointers. Functions return 0 or a count where they succeed and minus an error number where
 * they do not, unless they say otherwise. Nothing here keeps state of its own. Records hold values in host byte order,
 * GIDs as 16 bytes as they go over the wire. An IPv4 address is an IPv4-mapped GID.
 */
#ifndef SRPT_VERBS_H
#define SRPT_VERBS_H

#include <infiniband/umad.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>

/* Devices (device.c). */

struct srpt_device_record {
    uint64_t node_guid;
    uint32_t vendor_id;
    uint32_t vendor_part_id;
    uint32_t hardware_version;
    uint32_t max_qp_requests;
    uint32_t max_srq_requests;
    uint32_t max_segments;
    uint32_t max_reads;
    uint32_t local_ack_delay;
    uint32_t ports;
};

struct srpt_port_record {
    uint32_t state;
    uint32_t active_mtu; /* bytes */
    uint32_t gids;
    uint32_t capabilities;
};

struct srpt_gid_record {
    uint8_t gid[16];
    uint32_t interface; /* index of the network interface, 0 for none */
    uint32_t reserved;
};

struct srpt_async_record {
    uint32_t type;
    uint32_t port;    /* of port events, else 0 */
    uint64_t element; /* of queue pair, completion queue and SRQ events, else 0 */
};

/* The name of the n-th device, NULL behind the last. */
const char *srpt_device_name(int index, char *name, int size);
/* The context that librdmacm uses for the device `name`, NULL with errno when there is none. It stays librdmacm's. */
struct ibv_context *srpt_device_context(const char *name);
int srpt_query_device(struct ibv_context *context, struct srpt_device_record *record);
int srpt_query_port(struct ibv_context *context, int port, struct srpt_port_record *record);
/* Entry `index` of the GID table if it is one that RDMA/CM uses (RoCE v2 or InfiniBand); -ENOENT for others. */
int srpt_query_gid(struct ibv_context *context, int port, int index, struct srpt_gid_record *record);
/* Takes one asynchronous event and acknowledges it; 1, or 0 when none waits. */
int srpt_async_event(struct ibv_context *context, struct srpt_async_record *record);
int srpt_nonblocking(int descriptor);

/* Queue pairs (qp.c). */

struct srpt_path {
    uint8_t destination[16];
    uint32_t source_gid_index;
    uint32_t flow_label;
    uint32_t hop_limit;
    uint32_t traffic_class;
    uint32_t port;
};

struct srpt_qp_init {
    struct ibv_pd *pd;
    struct ibv_cq *send_cq;
    struct ibv_cq *receive_cq;
    struct ibv_srq *srq;
    uint32_t datagram;
    uint32_t sends;
    uint32_t receives;
    uint32_t send_segments;
    uint32_t receive_segments;
};

struct srpt_send {
    uint64_t wr_id;
    uint64_t remote_address;
    uint32_t remote_key;
    uint32_t opcode; /* enum ibv_wr_opcode */
    uint32_t flags;  /* enum ibv_send_flags */
    uint32_t immediate_or_key;
    uint32_t segments;
    uint32_t reserved;
    struct ibv_sge segment[32];
};

/* NULL with errno on failure. */
struct ibv_qp *srpt_create_qp(const struct srpt_qp_init *init);
int srpt_qp_state(struct ibv_qp *qp);
int srpt_qp_to_init(struct ibv_qp *qp, int port, int pkey_index, int access, uint32_t qkey);
int srpt_qp_to_rtr(struct ibv_qp *qp, const struct srpt_path *path, int mtu_bytes, uint32_t remote_qp, uint32_t psn,
                   int max_inbound_reads, int min_rnr_timer);
int srpt_qp_to_rts(struct ibv_qp *qp, uint32_t psn, int timeout, int retries, int rnr_retries, int max_outbound_reads);
int srpt_qp_to_error(struct ibv_qp *qp);
/* Moves qp to `state` with the attributes that the connection manager has for `id`. */
int srpt_qp_by_cm(struct ibv_qp *qp, struct rdma_cm_id *id, enum ibv_qp_state state, int reads, int min_rnr_timer);
int srpt_post_send(struct ibv_qp *qp, const struct srpt_send *send);
struct ibv_srq *srpt_create_srq(struct ibv_pd *pd, uint32_t requests, uint32_t segments);
int srpt_post_srq(struct ibv_srq *srq, uint64_t wr_id, struct ibv_sge *segments, int count);
struct ibv_ah *srpt_create_ah(struct ibv_pd *pd, const struct srpt_path *path);

/* Connections (cm.c). */

#define SRPT_PRIVATE_DATA 256

struct srpt_cm_record {
    uint32_t type; /* enum rdma_cm_event_type */
    int32_t status;
    uint64_t id;
    uint64_t listen_id;
    uint64_t context; /* of the device, 0 while none is bound */
    uint32_t port;
    uint32_t responder_resources;
    uint32_t initiator_depth;
    uint32_t retry_count;
    uint32_t rnr_retry_count;
    uint32_t remote_qp;
    uint32_t local_port;
    uint32_t remote_port;
    uint8_t local_gid[16];
    uint8_t remote_gid[16];
    uint32_t private_length;
    uint32_t reserved;
    uint8_t private_data[SRPT_PRIVATE_DATA];
};

struct srpt_cm_parameters {
    uint32_t qp_number;
    uint32_t srq;
    uint32_t responder_resources;
    uint32_t initiator_depth;
    uint32_t retry_count;
    uint32_t rnr_retry_count;
    uint32_t private_length;
    uint32_t reserved;
    uint8_t private_data[SRPT_PRIVATE_DATA];
};

/* Takes one event, copies it into `record` and acknowledges it; 1, or 0 when none waits. */
int srpt_cm_event(struct rdma_event_channel *channel, struct srpt_cm_record *record);
int srpt_cm_bind(struct rdma_cm_id *id, const uint8_t gid[16], uint32_t scope, int port);
int srpt_cm_resolve(struct rdma_cm_id *id, const uint8_t source[16], const uint8_t destination[16], uint32_t scope,
                    int port, int timeout_ms);
int srpt_cm_connect(struct rdma_cm_id *id, const struct srpt_cm_parameters *parameters);
int srpt_cm_accept(struct rdma_cm_id *id, const struct srpt_cm_parameters *parameters);
int srpt_cm_reject(struct rdma_cm_id *id, const void *data, int length);
int srpt_cm_establish(struct rdma_cm_id *id);
/* Data came before RTU: as good as RTU. */
int srpt_cm_notify(struct rdma_cm_id *id);

/* Management datagrams (umad.c). */

#define SRPT_MAD_BYTES 256

struct srpt_mad_record {
    uint32_t status;
    uint32_t length;
    uint32_t queue_pair;
    uint32_t pkey_index;
    uint32_t gid_index;
    uint32_t hop_limit;
    uint32_t has_grh;
    uint32_t reserved;
    uint8_t gid[16];
    uint8_t mad[SRPT_MAD_BYTES];
};

/* A port of libibumad for Device Management (class 6, Get and Set), or minus an error number; -EBUSY: it has an owner. */
int srpt_umad_open(const char *device, int port, int *agent);
int srpt_umad_descriptor(int umad);
/* Takes one datagram; 1, or 0 when none waits. */
int srpt_umad_receive(int umad, struct srpt_mad_record *record);
int srpt_umad_send(int umad, int agent, const struct srpt_mad_record *record);
int srpt_umad_close(int umad, int agent);

#endif
