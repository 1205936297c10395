/* Queue pairs, shared receive queues, address handles. */
#include "srpt_verbs.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

static void fill_ah(struct ibv_ah_attr *attributes, const struct srpt_path *path)
{
    memset(attributes, 0, sizeof(*attributes));
    memcpy(attributes->grh.dgid.raw, path->destination, 16);
    attributes->grh.sgid_index = (uint8_t)path->source_gid_index;
    attributes->grh.flow_label = path->flow_label;
    attributes->grh.hop_limit = (uint8_t)path->hop_limit;
    attributes->grh.traffic_class = (uint8_t)path->traffic_class;
    attributes->is_global = 1;
    attributes->port_num = (uint8_t)path->port;
}

static enum ibv_mtu mtu_of(int bytes)
{
    enum ibv_mtu mtu = IBV_MTU_256;
    while (mtu < IBV_MTU_4096 && (128 << mtu) < bytes) {
        mtu++;
    }
    return mtu;
}

struct ibv_qp *srpt_create_qp(const struct srpt_qp_init *init)
{
    struct ibv_qp_init_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.send_cq = init->send_cq;
    attributes.recv_cq = init->receive_cq;
    attributes.srq = init->srq;
    attributes.qp_type = init->datagram ? IBV_QPT_UD : IBV_QPT_RC;
    attributes.cap.max_send_wr = init->sends;
    attributes.cap.max_recv_wr = init->srq != NULL ? 0 : init->receives;
    attributes.cap.max_send_sge = init->send_segments;
    attributes.cap.max_recv_sge = init->srq != NULL ? 0 : init->receive_segments;
    return ibv_create_qp(init->pd, &attributes);
}

int srpt_qp_state(struct ibv_qp *qp)
{
    struct ibv_qp_attr attributes;
    struct ibv_qp_init_attr init;
    int error = ibv_query_qp(qp, &attributes, IBV_QP_STATE, &init);
    return error != 0 ? -error : (int)attributes.qp_state;
}

int srpt_qp_to_init(struct ibv_qp *qp, int port, int pkey_index, int access, uint32_t qkey)
{
    struct ibv_qp_attr attributes;
    int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = IBV_QPS_INIT;
    attributes.pkey_index = (uint16_t)pkey_index;
    attributes.port_num = (uint8_t)port;
    if (qp->qp_type == IBV_QPT_UD) {
        attributes.qkey = qkey;
        mask |= IBV_QP_QKEY;
    } else {
        attributes.qp_access_flags = (unsigned int)access;
        mask |= IBV_QP_ACCESS_FLAGS;
    }
    return -ibv_modify_qp(qp, &attributes, mask);
}

int srpt_qp_to_rtr(struct ibv_qp *qp, const struct srpt_path *path, int mtu_bytes, uint32_t remote_qp, uint32_t psn,
                   int max_inbound_reads, int min_rnr_timer)
{
    struct ibv_qp_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = IBV_QPS_RTR;
    if (qp->qp_type == IBV_QPT_UD) {
        return -ibv_modify_qp(qp, &attributes, IBV_QP_STATE);
    }
    fill_ah(&attributes.ah_attr, path);
    attributes.path_mtu = mtu_of(mtu_bytes);
    attributes.dest_qp_num = remote_qp;
    attributes.rq_psn = psn;
    attributes.max_dest_rd_atomic = (uint8_t)max_inbound_reads;
    attributes.min_rnr_timer = (uint8_t)min_rnr_timer;
    return -ibv_modify_qp(qp, &attributes,
                          IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                              IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
}

int srpt_qp_to_rts(struct ibv_qp *qp, uint32_t psn, int timeout, int retries, int rnr_retries, int max_outbound_reads)
{
    struct ibv_qp_attr attributes;
    int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = IBV_QPS_RTS;
    attributes.sq_psn = psn;
    if (qp->qp_type != IBV_QPT_UD) {
        attributes.timeout = (uint8_t)timeout;
        attributes.retry_cnt = (uint8_t)retries;
        attributes.rnr_retry = (uint8_t)rnr_retries;
        attributes.max_rd_atomic = (uint8_t)max_outbound_reads;
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    }
    return -ibv_modify_qp(qp, &attributes, mask);
}

int srpt_qp_to_error(struct ibv_qp *qp)
{
    struct ibv_qp_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = IBV_QPS_ERR;
    return -ibv_modify_qp(qp, &attributes, IBV_QP_STATE);
}

int srpt_qp_by_cm(struct ibv_qp *qp, struct rdma_cm_id *id, enum ibv_qp_state state, int reads, int min_rnr_timer)
{
    struct ibv_qp_attr attributes;
    int mask = 0;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = state;
    if (rdma_init_qp_attr(id, &attributes, &mask) != 0) {
        return -errno;
    }
    if (state == IBV_QPS_RTR) {
        attributes.max_dest_rd_atomic = (uint8_t)reads;
        attributes.min_rnr_timer = (uint8_t)min_rnr_timer;
    } else if (state == IBV_QPS_RTS) {
        attributes.max_rd_atomic = (uint8_t)reads;
    }
    return -ibv_modify_qp(qp, &attributes, mask);
}

int srpt_post_send(struct ibv_qp *qp, const struct srpt_send *send)
{
    struct ibv_send_wr request;
    struct ibv_send_wr *bad = NULL;
    memset(&request, 0, sizeof(request));
    request.wr_id = send->wr_id;
    request.sg_list = (struct ibv_sge *)send->segment;
    request.num_sge = (int)send->segments;
    request.opcode = (enum ibv_wr_opcode)send->opcode;
    request.send_flags = send->flags;
    if (request.opcode == IBV_WR_SEND_WITH_INV) {
        request.invalidate_rkey = send->immediate_or_key;
    } else {
        request.imm_data = htobe32(send->immediate_or_key);
    }
    request.wr.rdma.remote_addr = send->remote_address;
    request.wr.rdma.rkey = send->remote_key;
    return -ibv_post_send(qp, &request, &bad);
}

struct ibv_srq *srpt_create_srq(struct ibv_pd *pd, uint32_t requests, uint32_t segments)
{
    struct ibv_srq_init_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.attr.max_wr = requests;
    attributes.attr.max_sge = segments;
    return ibv_create_srq(pd, &attributes);
}

int srpt_post_srq(struct ibv_srq *srq, uint64_t wr_id, struct ibv_sge *segments, int count)
{
    struct ibv_recv_wr request;
    struct ibv_recv_wr *bad = NULL;
    memset(&request, 0, sizeof(request));
    request.wr_id = wr_id;
    request.sg_list = segments;
    request.num_sge = count;
    return -ibv_post_srq_recv(srq, &request, &bad);
}

struct ibv_ah *srpt_create_ah(struct ibv_pd *pd, const struct srpt_path *path)
{
    struct ibv_ah_attr attributes;
    fill_ah(&attributes, path);
    return ibv_create_ah(pd, &attributes);
}
