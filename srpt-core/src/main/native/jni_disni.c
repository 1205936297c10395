/* The native methods of DiSNI 2.1's com.ibm.disni.verbs.impl.NativeDispatcher. Objects are the libraries' pointers. */
#include "srpt_verbs.h"

#include <errno.h>
#include <jni.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#define DISNI_VERSION 32
#define DISNI(type, name) JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name
#define POINTER(type, value) ((type)(uintptr_t)(value))
#define OBJECT(pointer) ((jlong)(uintptr_t)(pointer))

/* Segments of a work request of a queue pair that DiSNI makes itself: its API has no word for them. */
#define DISNI_SEGMENTS 4

static void throw_io(JNIEnv *env, const char *what, int error)
{
    char message[160];
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    if (type != NULL) {
        snprintf(message, sizeof(message), "%s: %s", what, strerror(error));
        (*env)->ThrowNew(env, type, message);
    }
}

static jlong object_or_throw(JNIEnv *env, const char *what, const void *pointer)
{
    if (pointer == NULL) {
        throw_io(env, what, errno);
        return -1;
    }
    return OBJECT(pointer);
}

static void throw_unless_zero(JNIEnv *env, const char *what, int result, int error)
{
    if (result != 0) {
        throw_io(env, what, error);
    }
}

/* For calls that leave the reason in errno, which is read only after the call: arguments have no order. */
static void throw_errno_unless_zero(JNIEnv *env, const char *what, int result)
{
    if (result != 0) {
        throw_io(env, what, errno);
    }
}

/* Waits up to `timeout` ms, without end if negative; whether something can be read. */
static int readable(int descriptor, int timeout)
{
    struct pollfd poller = {.fd = descriptor, .events = POLLIN};
    return poll(&poller, 1, timeout) > 0;
}

/* RDMA/CM. */

DISNI(jlong, createEventChannel)(JNIEnv *env, jobject self)
{
    (void)self;
    return object_or_throw(env, "rdma_create_event_channel", rdma_create_event_channel());
}

DISNI(jlong, createId)(JNIEnv *env, jobject self, jlong channel, jshort port_space)
{
    struct rdma_cm_id *id = NULL;
    (void)self;
    if (rdma_create_id(POINTER(struct rdma_event_channel *, channel), &id, NULL, (enum rdma_port_space)port_space) != 0) {
        id = NULL;
    }
    return object_or_throw(env, "rdma_create_id", id);
}

DISNI(jlong, createQP)(JNIEnv *env, jobject self, jlong id, jlong pd, jlong send_cq, jlong receive_cq, jint type,
                       jint sends, jint receives, jint inline_bytes)
{
    struct ibv_qp_init_attr attributes;
    struct rdma_cm_id *cm_id = POINTER(struct rdma_cm_id *, id);
    (void)self;
    memset(&attributes, 0, sizeof(attributes));
    attributes.send_cq = POINTER(struct ibv_cq *, send_cq);
    attributes.recv_cq = POINTER(struct ibv_cq *, receive_cq);
    attributes.qp_type = (enum ibv_qp_type)type;
    attributes.cap.max_send_wr = (uint32_t)sends;
    attributes.cap.max_recv_wr = (uint32_t)receives;
    attributes.cap.max_send_sge = DISNI_SEGMENTS;
    attributes.cap.max_recv_sge = DISNI_SEGMENTS;
    attributes.cap.max_inline_data = (uint32_t)inline_bytes;
    if (rdma_create_qp(cm_id, POINTER(struct ibv_pd *, pd), &attributes) != 0) {
        return object_or_throw(env, "rdma_create_qp", NULL);
    }
    return OBJECT(cm_id->qp);
}

DISNI(void, bindAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    (void)self;
    throw_errno_unless_zero(env, "rdma_bind_addr",
                            rdma_bind_addr(POINTER(struct rdma_cm_id *, id), POINTER(struct sockaddr *, address)));
}

DISNI(void, listen)(JNIEnv *env, jobject self, jlong id, jint backlog)
{
    (void)self;
    throw_errno_unless_zero(env, "rdma_listen", rdma_listen(POINTER(struct rdma_cm_id *, id), backlog));
}

DISNI(void, resolveAddr)(JNIEnv *env, jobject self, jlong id, jlong source, jlong destination, jint timeout)
{
    (void)self;
    throw_errno_unless_zero(env, "rdma_resolve_addr",
                            rdma_resolve_addr(POINTER(struct rdma_cm_id *, id), POINTER(struct sockaddr *, source),
                                              POINTER(struct sockaddr *, destination), timeout));
}

DISNI(void, resolveRoute)(JNIEnv *env, jobject self, jlong id, jint timeout)
{
    (void)self;
    throw_errno_unless_zero(env, "rdma_resolve_route", rdma_resolve_route(POINTER(struct rdma_cm_id *, id), timeout));
}

/* The event is acknowledged at once, since acknowledging says the type alone. */
DISNI(jint, getCmEvent)(JNIEnv *env, jobject self, jlong channel, jlong listen_id, jlong client_id, jint timeout)
{
    struct rdma_event_channel *from = POINTER(struct rdma_event_channel *, channel);
    struct rdma_cm_event *event = NULL;
    jint type;
    (void)env;
    (void)self;
    if (!readable(from->fd, timeout) || rdma_get_cm_event(from, &event) != 0) {
        return -1;
    }
    type = (jint)event->event;
    *POINTER(uint64_t *, listen_id) = (uint64_t)(uintptr_t)event->listen_id;
    *POINTER(uint64_t *, client_id) = (uint64_t)(uintptr_t)event->id;
    rdma_ack_cm_event(event);
    return type;
}

DISNI(void, connect)(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries, jlong data, jbyte length)
{
    struct rdma_conn_param parameters;
    (void)self;
    memset(&parameters, 0, sizeof(parameters));
    parameters.retry_count = (uint8_t)retries;
    parameters.rnr_retry_count = (uint8_t)rnr_retries;
    parameters.private_data = POINTER(void *, data);
    parameters.private_data_len = (uint8_t)length;
    parameters.responder_resources = RDMA_MAX_RESP_RES;
    parameters.initiator_depth = RDMA_MAX_INIT_DEPTH;
    throw_errno_unless_zero(env, "rdma_connect", rdma_connect(POINTER(struct rdma_cm_id *, id), &parameters));
}

DISNI(void, accept)(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries)
{
    struct rdma_conn_param parameters;
    (void)self;
    memset(&parameters, 0, sizeof(parameters));
    parameters.retry_count = (uint8_t)retries;
    parameters.rnr_retry_count = (uint8_t)rnr_retries;
    parameters.responder_resources = RDMA_MAX_RESP_RES;
    parameters.initiator_depth = RDMA_MAX_INIT_DEPTH;
    throw_errno_unless_zero(env, "rdma_accept", rdma_accept(POINTER(struct rdma_cm_id *, id), &parameters));
}

DISNI(jint, ackCmEvent)(JNIEnv *env, jobject self, jint type)
{
    (void)env;
    (void)self;
    (void)type;
    return 0;
}

DISNI(jint, disconnect)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    return rdma_disconnect(POINTER(struct rdma_cm_id *, id));
}

DISNI(jint, destroyEventChannel)(JNIEnv *env, jobject self, jlong channel)
{
    (void)env;
    (void)self;
    rdma_destroy_event_channel(POINTER(struct rdma_event_channel *, channel));
    return 0;
}

DISNI(jint, destroyCmId)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    return rdma_destroy_id(POINTER(struct rdma_cm_id *, id));
}

/* Given the id of the queue pair, as in DiSNI. */
DISNI(jint, destroyQP)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    rdma_destroy_qp(POINTER(struct rdma_cm_id *, id));
    return 0;
}

static jint copy_address(const struct sockaddr *address, jlong to)
{
    if (address == NULL || address->sa_family != AF_INET) {
        return -1;
    }
    memcpy(POINTER(void *, to), address, sizeof(struct sockaddr_in));
    return 0;
}

DISNI(jint, getSrcAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    (void)env;
    (void)self;
    return copy_address(rdma_get_local_addr(POINTER(struct rdma_cm_id *, id)), address);
}

DISNI(jint, getDstAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    (void)env;
    (void)self;
    return copy_address(rdma_get_peer_addr(POINTER(struct rdma_cm_id *, id)), address);
}

DISNI(jint, destroyEp)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    rdma_destroy_ep(POINTER(struct rdma_cm_id *, id));
    return 0;
}

/* Verbs. */

DISNI(jlong, getContext)(JNIEnv *env, jobject self, jlong id)
{
    (void)self;
    errno = ENODEV;
    return object_or_throw(env, "the id has no device", POINTER(struct rdma_cm_id *, id)->verbs);
}

DISNI(jint, getContextFd)(JNIEnv *env, jobject self, jlong context)
{
    (void)env;
    (void)self;
    return POINTER(struct ibv_context *, context)->cmd_fd;
}

DISNI(jint, getContextNumCompVectors)(JNIEnv *env, jobject self, jlong context)
{
    (void)env;
    (void)self;
    return POINTER(struct ibv_context *, context)->num_comp_vectors;
}

DISNI(jlong, allocPd)(JNIEnv *env, jobject self, jlong context)
{
    (void)self;
    return object_or_throw(env, "ibv_alloc_pd", ibv_alloc_pd(POINTER(struct ibv_context *, context)));
}

DISNI(jint, getPdHandle)(JNIEnv *env, jobject self, jlong pd)
{
    (void)env;
    (void)self;
    return (jint)POINTER(struct ibv_pd *, pd)->handle;
}

DISNI(jint, deallocPd)(JNIEnv *env, jobject self, jlong pd)
{
    (void)env;
    (void)self;
    return ibv_dealloc_pd(POINTER(struct ibv_pd *, pd));
}

DISNI(jlong, createCompChannel)(JNIEnv *env, jobject self, jlong context)
{
    struct ibv_comp_channel *channel = ibv_create_comp_channel(POINTER(struct ibv_context *, context));
    (void)self;
    if (channel != NULL && srpt_nonblocking(channel->fd) != 0) {
        int error = errno;
        ibv_destroy_comp_channel(channel);
        channel = NULL;
        errno = error;
    }
    return object_or_throw(env, "ibv_create_comp_channel", channel);
}

DISNI(jint, destroyCompChannel)(JNIEnv *env, jobject self, jlong channel)
{
    (void)env;
    (void)self;
    return ibv_destroy_comp_channel(POINTER(struct ibv_comp_channel *, channel));
}

DISNI(jlong, createCQ)(JNIEnv *env, jobject self, jlong context, jlong channel, jint entries, jint vector)
{
    (void)self;
    return object_or_throw(env, "ibv_create_cq",
                           ibv_create_cq(POINTER(struct ibv_context *, context), entries, NULL,
                                         POINTER(struct ibv_comp_channel *, channel), vector));
}

DISNI(jint, destroyCQ)(JNIEnv *env, jobject self, jlong cq)
{
    (void)env;
    (void)self;
    return ibv_destroy_cq(POINTER(struct ibv_cq *, cq));
}

DISNI(jint, pollCQ)(JNIEnv *env, jobject self, jlong cq, jint entries, jlong completions)
{
    (void)env;
    (void)self;
    return ibv_poll_cq(POINTER(struct ibv_cq *, cq), entries, POINTER(struct ibv_wc *, completions));
}

DISNI(jint, reqNotifyCQ)(JNIEnv *env, jobject self, jlong cq, jint solicited_only)
{
    (void)env;
    (void)self;
    return ibv_req_notify_cq(POINTER(struct ibv_cq *, cq), solicited_only);
}

/* -1 when no event came within `timeout` ms. The caller acknowledges by ackCqEvent. */
DISNI(jint, getCqEvent)(JNIEnv *env, jobject self, jlong channel, jint timeout)
{
    struct ibv_comp_channel *from = POINTER(struct ibv_comp_channel *, channel);
    struct ibv_cq *cq = NULL;
    void *context = NULL;
    (void)env;
    (void)self;
    if (timeout != 0 && !readable(from->fd, timeout)) {
        return -1;
    }
    return ibv_get_cq_event(from, &cq, &context) != 0 ? -1 : 0;
}

DISNI(jint, ackCqEvent)(JNIEnv *env, jobject self, jlong cq, jint events)
{
    (void)env;
    (void)self;
    ibv_ack_cq_events(POINTER(struct ibv_cq *, cq), (unsigned int)events);
    return 0;
}

/* Without an attribute there is nothing to modify: see VerbsNative. */
DISNI(jint, modifyQP)(JNIEnv *env, jobject self, jlong qp, jlong attributes)
{
    (void)self;
    (void)qp;
    (void)attributes;
    throw_io(env, "modifyQP", ENOTSUP);
    return -1;
}

DISNI(jint, getQpNum)(JNIEnv *env, jobject self, jlong qp)
{
    (void)env;
    (void)self;
    return (jint)POINTER(struct ibv_qp *, qp)->qp_num;
}

DISNI(jlong, regMr)(JNIEnv *env, jobject self, jlong pd, jlong address, jint length, jint access, jlong lkey, jlong rkey,
                    jlong handle)
{
    struct ibv_mr *mr =
        ibv_reg_mr(POINTER(struct ibv_pd *, pd), POINTER(void *, address), (size_t)(uint32_t)length, access);
    (void)self;
    if (mr != NULL) {
        *POINTER(uint32_t *, lkey) = mr->lkey;
        *POINTER(uint32_t *, rkey) = mr->rkey;
        *POINTER(uint32_t *, handle) = mr->handle;
    }
    return object_or_throw(env, "ibv_reg_mr", mr);
}

DISNI(void, deregMr)(JNIEnv *env, jobject self, jlong mr)
{
    int error = ibv_dereg_mr(POINTER(struct ibv_mr *, mr));
    (void)self;
    throw_unless_zero(env, "ibv_dereg_mr", error, error);
}

DISNI(jint, queryOdpSupport)(JNIEnv *env, jobject self, jlong context)
{
    struct ibv_device_attr_ex attributes;
    (void)env;
    (void)self;
    if (ibv_query_device_ex(POINTER(struct ibv_context *, context), NULL, &attributes) != 0) {
        return -1;
    }
    return (jint)attributes.odp_caps.per_transport_caps.rc_odp_caps;
}

DISNI(jint, expPrefetchMr)(JNIEnv *env, jobject self, jlong mr, jlong address, jint length)
{
    struct ibv_mr *region = POINTER(struct ibv_mr *, mr);
    struct ibv_sge segment = {.addr = (uint64_t)address, .length = (uint32_t)length, .lkey = region->lkey};
    (void)env;
    (void)self;
    return ibv_advise_mr(region->pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, 0, &segment, 1);
}

DISNI(void, postSend)(JNIEnv *env, jobject self, jlong qp, jlong requests)
{
    struct ibv_send_wr *bad = NULL;
    int error = ibv_post_send(POINTER(struct ibv_qp *, qp), POINTER(struct ibv_send_wr *, requests), &bad);
    (void)self;
    throw_unless_zero(env, "ibv_post_send", error, error);
}

DISNI(void, postRecv)(JNIEnv *env, jobject self, jlong qp, jlong requests)
{
    struct ibv_recv_wr *bad = NULL;
    int error = ibv_post_recv(POINTER(struct ibv_qp *, qp), POINTER(struct ibv_recv_wr *, requests), &bad);
    (void)self;
    throw_unless_zero(env, "ibv_post_recv", error, error);
}

/* Layouts. */

DISNI(jint, getSockAddrInSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)sizeof(struct sockaddr_in);
}

DISNI(jint, getIbvRecvWRSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)sizeof(struct ibv_recv_wr);
}

DISNI(jint, getIbvSendWRSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)sizeof(struct ibv_send_wr);
}

DISNI(jint, getIbvSgeSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)sizeof(struct ibv_sge);
}

DISNI(jint, getIbvWCSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)sizeof(struct ibv_wc);
}

DISNI(jint, getRemoteAddressOffset)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

DISNI(jint, getRKeyOffset)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return (jint)offsetof(struct ibv_send_wr, wr.rdma.rkey);
}

DISNI(jint, getVersion)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return DISNI_VERSION;
}
