/*
 * A load of Device Management queries, Get(IOControllerProfile), on an SRP target over RoCEv2 and IPv4, or on whatever sends
 * datagrams back: a fixed number in flight, each answer starts the next, what has come is taken with one call. The queries
 * are made once, with their invariant CRC; the transaction id tells which of them an answer is for. Prints one JSON object.
 * Usage: mad_load LOCAL_ADDRESS TARGET_ADDRESS DEPTH WARMUP_SECONDS SECONDS
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "load.h"

#define ROCE_PORT 4791
#define BTH 12
#define DETH 8
#define MAD 256
#define LENGTH (BTH + DETH + MAD + 4)
#define PSEUDO_HEADER 36
#define MAX_DEPTH 256
/* Nothing for so long: what is in flight was lost, all of it is sent again. */
#define SILENCE_US 300000

static int wire;
static unsigned char queries[MAX_DEPTH][LENGTH], answers[MAX_DEPTH][LENGTH + 64];
static uint64_t begins[MAX_DEPTH];
static bool in_flight[MAX_DEPTH];
static struct mmsghdr out[MAX_DEPTH], in[MAX_DEPTH];
static struct iovec out_data[MAX_DEPTH], in_data[MAX_DEPTH];
static struct sockaddr_in target;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void put16(unsigned char *at, uint16_t value)
{
    value = htobe16(value);
    memcpy(at, &value, sizeof(value));
}

static void put32(unsigned char *at, uint32_t value)
{
    value = htobe32(value);
    memcpy(at, &value, sizeof(value));
}

static uint32_t crc32(const unsigned char *data, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
    }
    return ~crc;
}

/* The invariant CRC: over the headers before, with what routers change set to ones. The identification is 0 with DF set. */
static void seal(unsigned char *query, const struct sockaddr_in *from)
{
    unsigned char covered[PSEUDO_HEADER + LENGTH];
    uint32_t crc;
    memset(covered, 0xFF, PSEUDO_HEADER);
    covered[8] = 0x45;
    put16(covered + 10, 20 + 8 + LENGTH);
    put32(covered + 12, 0x00004000);
    covered[17] = 17;
    memcpy(covered + 20, &from->sin_addr, 4);
    memcpy(covered + 24, &target.sin_addr, 4);
    put16(covered + 28, ROCE_PORT);
    put16(covered + 30, ROCE_PORT);
    put16(covered + 32, 8 + LENGTH);
    memcpy(covered + PSEUDO_HEADER, query, LENGTH);
    covered[PSEUDO_HEADER + 4] = 0xFF;
    crc = htole32(crc32(covered, PSEUDO_HEADER + LENGTH - 4));
    memcpy(query + LENGTH - 4, &crc, sizeof(crc));
}

static void make(unsigned char *query, uint32_t transaction, const struct sockaddr_in *from)
{
    unsigned char *mad = query + BTH + DETH;
    query[0] = 0x64; /* UD SEND ONLY */
    put16(query + 2, 0xFFFF);
    put32(query + 4, 1); /* to queue pair 1 */
    put32(query + BTH, 0x80010000);
    put32(query + BTH + 4, 1); /* from queue pair 1 */
    mad[0] = 1;
    mad[1] = 6; /* Device Management */
    mad[2] = 1;
    mad[3] = 1; /* Get */
    put32(mad + 12, transaction);
    put16(mad + 16, 0x11); /* IOControllerProfile */
    put32(mad + 20, 1);    /* of the controller in slot 1 */
    seal(query, from);
}

static struct sockaddr_in address_of(const char *text)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(ROCE_PORT)};
    if (inet_pton(AF_INET, text, &address.sin_addr) != 1) {
        fprintf(stderr, "%s is no IPv4 address\n", text);
        exit(2);
    }
    return address;
}

static void open_wire(const struct sockaddr_in *local)
{
    int discover = IP_PMTUDISC_DO; /* sets DF and leaves the identification 0 */
    struct timeval silence = {.tv_usec = SILENCE_US};
    wire = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(wire, IPPROTO_IP, IP_MTU_DISCOVER, &discover, sizeof(discover));
    setsockopt(wire, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof(silence));
    if (bind(wire, (const struct sockaddr *)local, sizeof(*local)) != 0) {
        fail("bind");
    }
}

static int queue(int queued, uint32_t slot)
{
    out_data[queued].iov_base = queries[slot];
    out_data[queued].iov_len = LENGTH;
    out[queued].msg_hdr.msg_iov = &out_data[queued];
    out[queued].msg_hdr.msg_iovlen = 1;
    out[queued].msg_hdr.msg_name = &target;
    out[queued].msg_hdr.msg_namelen = sizeof(target);
    in_flight[slot] = true;
    begins[slot] = now();
    return queued + 1;
}

static void flush(int queued)
{
    for (int sent = 0; sent < queued;) {
        int count = sendmmsg(wire, out + sent, (unsigned)(queued - sent), 0);
        if (count < 0) {
            fail("send");
        }
        sent += count;
    }
}

/* The query that an answer is for, or -1: one that came late, or none. */
static int slot_of(const unsigned char *answer, unsigned length, int depth)
{
    const unsigned char *mad = answer + BTH + DETH;
    uint32_t transaction;
    if (length != LENGTH) {
        return -1;
    }
    memcpy(&transaction, mad + 12, sizeof(transaction));
    transaction = be32toh(transaction);
    errors += mad[4] != 0 || mad[5] != 0;
    return transaction < (uint32_t)depth && in_flight[transaction] ? (int)transaction : -1;
}

int main(int count, char **arguments)
{
    struct sockaddr_in local;
    uint64_t start, measured_from, end;
    bool measuring = false;
    int depth, queued = 0;
    if (count != 6 || atoi(arguments[3]) < 1 || atoi(arguments[3]) > MAX_DEPTH) {
        fprintf(stderr, "usage: mad_load LOCAL_ADDRESS TARGET_ADDRESS DEPTH WARMUP_SECONDS SECONDS\n");
        return 2;
    }
    local = address_of(arguments[1]);
    target = address_of(arguments[2]);
    depth = atoi(arguments[3]);
    open_wire(&local);
    for (int slot = 0; slot < depth; slot++) {
        make(queries[slot], (uint32_t)slot, &local);
        in_data[slot].iov_base = answers[slot];
        in_data[slot].iov_len = sizeof(answers[slot]);
        in[slot].msg_hdr.msg_iov = &in_data[slot];
        in[slot].msg_hdr.msg_iovlen = 1;
    }
    start = now();
    measured_from = start + (uint64_t)(atof(arguments[4]) * 1e9);
    end = measured_from + (uint64_t)(atof(arguments[5]) * 1e9);
    for (int slot = 0; slot < depth; slot++) {
        queued = queue(queued, (uint32_t)slot);
    }
    for (uint64_t time = start; time < end; time = now()) {
        int received;
        if (!measuring && time >= measured_from) {
            measuring = true;
            done = 0;
            errors = 0;
            memset(latencies, 0, sizeof(latencies));
            tell("measuring");
            start = now();
        }
        flush(queued);
        queued = 0;
        received = recvmmsg(wire, in, (unsigned)depth, MSG_WAITFORONE, NULL);
        if (received < 0) {
            if (errno != EAGAIN) {
                fail("receive");
            }
            for (int slot = 0; slot < depth; slot++) {
                errors += in_flight[slot];
                queued = queue(queued, (uint32_t)slot);
            }
            continue;
        }
        time = now();
        for (int i = 0; i < received; i++) {
            int slot = slot_of(answers[i], in[i].msg_len, depth);
            if (slot >= 0) {
                count_done(time - begins[slot]);
                queued = queue(queued, (uint32_t)slot);
            }
        }
    }
    tell("measured");
    report((double)(now() - start) / 1e9);
    return 0;
}
