/* The native methods of io.srpt.disni.provider.VerbsNative: what DiSNI has no call for. See srpt_verbs.h. */
#include "srpt_verbs.h"

#include <errno.h>
#include <jni.h>
#include <stdint.h>
#include <string.h>

#define VERBS(type, name) JNIEXPORT type JNICALL Java_io_srpt_disni_provider_VerbsNative_##name
#define POINTER(type, value) ((type)(uintptr_t)(value))
#define OBJECT(pointer) ((jlong)(uintptr_t)(pointer))
/* Pointers of user space are positive, so minus an error number is none. */
#define OBJECT_OR_ERROR(pointer) ((pointer) != NULL ? OBJECT(pointer) : -(jlong)errno)
#define UNUSED_ENVIRONMENT \
    (void)env;             \
    (void)type

#define NAME_LENGTH 64

VERBS(jstring, deviceName)(JNIEnv *env, jclass type, jint index)
{
    char name[NAME_LENGTH];
    (void)type;
    return srpt_device_name(index, name, sizeof(name)) == NULL ? NULL : (*env)->NewStringUTF(env, name);
}

VERBS(jlong, deviceContext)(JNIEnv *env, jclass type, jstring name)
{
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    jlong context;
    (void)type;
    if (text == NULL) {
        return -ENOMEM;
    }
    context = OBJECT_OR_ERROR(srpt_device_context(text));
    (*env)->ReleaseStringUTFChars(env, name, text);
    return context;
}

VERBS(jint, queryDevice)(JNIEnv *env, jclass type, jlong context, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_query_device(POINTER(struct ibv_context *, context), POINTER(struct srpt_device_record *, record));
}

VERBS(jint, queryPort)(JNIEnv *env, jclass type, jlong context, jint port, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_query_port(POINTER(struct ibv_context *, context), port, POINTER(struct srpt_port_record *, record));
}

VERBS(jint, queryGid)(JNIEnv *env, jclass type, jlong context, jint port, jint index, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_query_gid(POINTER(struct ibv_context *, context), port, index,
                          POINTER(struct srpt_gid_record *, record));
}

VERBS(jint, asyncDescriptor)(JNIEnv *env, jclass type, jlong context)
{
    int descriptor = POINTER(struct ibv_context *, context)->async_fd;
    int error = srpt_nonblocking(descriptor);
    UNUSED_ENVIRONMENT;
    return error != 0 ? error : descriptor;
}

VERBS(jint, asyncEvent)(JNIEnv *env, jclass type, jlong context, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_async_event(POINTER(struct ibv_context *, context), POINTER(struct srpt_async_record *, record));
}

VERBS(jint, completionDescriptor)(JNIEnv *env, jclass type, jlong channel)
{
    UNUSED_ENVIRONMENT;
    return POINTER(struct ibv_comp_channel *, channel)->fd;
}

VERBS(jlong, createQueuePair)(JNIEnv *env, jclass type, jlong init)
{
    UNUSED_ENVIRONMENT;
    struct ibv_qp *qp = srpt_create_qp(POINTER(struct srpt_qp_init *, init));
    return OBJECT_OR_ERROR(qp);
}

VERBS(jint, destroyQueuePair)(JNIEnv *env, jclass type, jlong qp)
{
    UNUSED_ENVIRONMENT;
    return -ibv_destroy_qp(POINTER(struct ibv_qp *, qp));
}

VERBS(jint, queuePairState)(JNIEnv *env, jclass type, jlong qp)
{
    UNUSED_ENVIRONMENT;
    return srpt_qp_state(POINTER(struct ibv_qp *, qp));
}

VERBS(jint, toInit)(JNIEnv *env, jclass type, jlong qp, jint port, jint pkey_index, jint access, jint qkey)
{
    UNUSED_ENVIRONMENT;
    return srpt_qp_to_init(POINTER(struct ibv_qp *, qp), port, pkey_index, access, (uint32_t)qkey);
}

VERBS(jint, toRtr)(JNIEnv *env, jclass type, jlong qp, jlong path, jint mtu, jint remote_qp, jint psn, jint reads,
                   jint min_rnr_timer)
{
    UNUSED_ENVIRONMENT;
    return srpt_qp_to_rtr(POINTER(struct ibv_qp *, qp), POINTER(struct srpt_path *, path), mtu, (uint32_t)remote_qp,
                          (uint32_t)psn, reads, min_rnr_timer);
}

VERBS(jint, toRts)(JNIEnv *env, jclass type, jlong qp, jint psn, jint timeout, jint retries, jint rnr_retries, jint reads)
{
    UNUSED_ENVIRONMENT;
    return srpt_qp_to_rts(POINTER(struct ibv_qp *, qp), (uint32_t)psn, timeout, retries, rnr_retries, reads);
}

VERBS(jint, toError)(JNIEnv *env, jclass type, jlong qp)
{
    UNUSED_ENVIRONMENT;
    return srpt_qp_to_error(POINTER(struct ibv_qp *, qp));
}

VERBS(jint, toStateOfConnection)(JNIEnv *env, jclass type, jlong qp, jlong id, jint state, jint reads,
                                jint min_rnr_timer)
{
    UNUSED_ENVIRONMENT;
    return srpt_qp_by_cm(POINTER(struct ibv_qp *, qp), POINTER(struct rdma_cm_id *, id), (enum ibv_qp_state)state, reads,
                         min_rnr_timer);
}

VERBS(jint, postSend)(JNIEnv *env, jclass type, jlong qp, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_post_send(POINTER(struct ibv_qp *, qp), POINTER(struct srpt_send *, record));
}

VERBS(jlong, createSharedReceiveQueue)(JNIEnv *env, jclass type, jlong pd, jint requests, jint segments)
{
    UNUSED_ENVIRONMENT;
    struct ibv_srq *srq = srpt_create_srq(POINTER(struct ibv_pd *, pd), (uint32_t)requests, (uint32_t)segments);
    return OBJECT_OR_ERROR(srq);
}

VERBS(jint, postSharedReceive)(JNIEnv *env, jclass type, jlong srq, jlong wr_id, jlong segments, jint count)
{
    UNUSED_ENVIRONMENT;
    return srpt_post_srq(POINTER(struct ibv_srq *, srq), (uint64_t)wr_id, POINTER(struct ibv_sge *, segments), count);
}

VERBS(jint, destroySharedReceiveQueue)(JNIEnv *env, jclass type, jlong srq)
{
    UNUSED_ENVIRONMENT;
    return -ibv_destroy_srq(POINTER(struct ibv_srq *, srq));
}

VERBS(jlong, createAddressHandle)(JNIEnv *env, jclass type, jlong pd, jlong path)
{
    UNUSED_ENVIRONMENT;
    struct ibv_ah *ah = srpt_create_ah(POINTER(struct ibv_pd *, pd), POINTER(struct srpt_path *, path));
    return OBJECT_OR_ERROR(ah);
}

VERBS(jint, destroyAddressHandle)(JNIEnv *env, jclass type, jlong ah)
{
    UNUSED_ENVIRONMENT;
    return -ibv_destroy_ah(POINTER(struct ibv_ah *, ah));
}

VERBS(jint, channelDescriptor)(JNIEnv *env, jclass type, jlong channel)
{
    int descriptor = POINTER(struct rdma_event_channel *, channel)->fd;
    int error = srpt_nonblocking(descriptor);
    UNUSED_ENVIRONMENT;
    return error != 0 ? error : descriptor;
}

VERBS(jint, connectionEvent)(JNIEnv *env, jclass type, jlong channel, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_event(POINTER(struct rdma_event_channel *, channel), POINTER(struct srpt_cm_record *, record));
}

VERBS(jint, bind)(JNIEnv *env, jclass type, jlong id, jlong gid, jint scope, jint port)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_bind(POINTER(struct rdma_cm_id *, id), POINTER(uint8_t *, gid), (uint32_t)scope, port);
}

VERBS(jint, resolveAddress)(JNIEnv *env, jclass type, jlong id, jlong source, jlong destination, jint scope, jint port,
                            jint timeout)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_resolve(POINTER(struct rdma_cm_id *, id), POINTER(uint8_t *, source), POINTER(uint8_t *, destination),
                           (uint32_t)scope, port, timeout);
}

VERBS(jint, connect)(JNIEnv *env, jclass type, jlong id, jlong parameters)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_connect(POINTER(struct rdma_cm_id *, id), POINTER(struct srpt_cm_parameters *, parameters));
}

VERBS(jint, accept)(JNIEnv *env, jclass type, jlong id, jlong parameters)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_accept(POINTER(struct rdma_cm_id *, id), POINTER(struct srpt_cm_parameters *, parameters));
}

VERBS(jint, reject)(JNIEnv *env, jclass type, jlong id, jlong data, jint length)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_reject(POINTER(struct rdma_cm_id *, id), POINTER(void *, data), length);
}

VERBS(jint, establish)(JNIEnv *env, jclass type, jlong id)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_establish(POINTER(struct rdma_cm_id *, id));
}

VERBS(jint, communicationEstablished)(JNIEnv *env, jclass type, jlong id)
{
    UNUSED_ENVIRONMENT;
    return srpt_cm_notify(POINTER(struct rdma_cm_id *, id));
}

VERBS(jint, openMads)(JNIEnv *env, jclass type, jstring device, jint port, jlong agent)
{
    const char *name = (*env)->GetStringUTFChars(env, device, NULL);
    int id = 0;
    int umad;
    (void)type;
    if (name == NULL) {
        return -ENOMEM;
    }
    umad = srpt_umad_open(name, port, &id);
    *POINTER(int *, agent) = id;
    (*env)->ReleaseStringUTFChars(env, device, name);
    return umad;
}

VERBS(jint, madDescriptor)(JNIEnv *env, jclass type, jint umad)
{
    UNUSED_ENVIRONMENT;
    return srpt_umad_descriptor(umad);
}

VERBS(jint, receiveMad)(JNIEnv *env, jclass type, jint umad, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_umad_receive(umad, POINTER(struct srpt_mad_record *, record));
}

VERBS(jint, sendMad)(JNIEnv *env, jclass type, jint umad, jint agent, jlong record)
{
    UNUSED_ENVIRONMENT;
    return srpt_umad_send(umad, agent, POINTER(struct srpt_mad_record *, record));
}

VERBS(jint, closeMads)(JNIEnv *env, jclass type, jint umad, jint agent)
{
    UNUSED_ENVIRONMENT;
    return srpt_umad_close(umad, agent);
}
