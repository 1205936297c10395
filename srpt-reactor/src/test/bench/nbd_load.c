/*
 * A load on an NBD server on this machine: one connection, a fixed number of requests in flight, for a time. Requests that can
 * leave together leave with one call, replies that are there are taken with one. Prints one JSON object.
 * Usage: nbd_load PORT random|sequential read|write BLOCK_SIZE DEPTH SECONDS
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "load.h"

#define OPTION_MAGIC 0x49484156454F5054u
#define OPTION_EXPORT_NAME 1u
#define FIXED_NEWSTYLE 1u
#define NO_ZEROES 2u
#define REQUEST_MAGIC 0x25609513u
#define REPLY_MAGIC 0x67446698u
#define REQUEST_LENGTH 28
#define REPLY_LENGTH 16
#define RECEIVE_LENGTH (4u << 20)

static int server;
static uint32_t block;
static uint64_t blocks, next_block;
static bool is_random, is_write;
static unsigned char *out, *in;
static size_t out_length, in_length;
static uint64_t *begins;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, errno != 0 ? strerror(errno) : "protocol");
    exit(1);
}

static void send_all(const void *data, size_t length)
{
    const unsigned char *next = data;
    while (length > 0) {
        ssize_t sent = send(server, next, length, 0);
        if (sent < 0) {
            fail("send");
        }
        next += sent;
        length -= (size_t)sent;
    }
}

static void receive_all(void *data, size_t length)
{
    if (recv(server, data, length, MSG_WAITALL) != (ssize_t)length) {
        fail("receive");
    }
}

static void connect_to(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    unsigned char greeting[18], answer[10];
    int on = 1;
    uint32_t flags = htobe32(FIXED_NEWSTYLE | NO_ZEROES);
    struct __attribute__((packed)) {
        uint64_t magic;
        uint32_t option, length;
    } option = {htobe64(OPTION_MAGIC), htobe32(OPTION_EXPORT_NAME), 0};
    uint64_t size;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(server, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fail("connect");
    }
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    receive_all(greeting, sizeof(greeting));
    send_all(&flags, sizeof(flags));
    send_all(&option, sizeof(option));
    receive_all(answer, sizeof(answer));
    memcpy(&size, answer, sizeof(size));
    blocks = be64toh(size) / block;
    if (blocks == 0) {
        fail("size");
    }
}

static void append(uint64_t handle)
{
    struct __attribute__((packed)) {
        uint32_t magic;
        uint16_t flags, type;
        uint64_t handle, offset;
        uint32_t length;
    } request = {htobe32(REQUEST_MAGIC), 0, htobe16(is_write ? 1 : 0), handle, 0, htobe32(block)};
    request.offset = htobe64((is_random ? random_below(blocks) : next_block++ % blocks) * block);
    memcpy(out + out_length, &request, REQUEST_LENGTH);
    out_length += REQUEST_LENGTH;
    if (is_write) {
        /* The data are there since the start. */
        out_length += block;
    }
    begins[handle] = now();
}

static void flush(void)
{
    send_all(out, out_length);
    out_length = 0;
}

/* Takes the replies that are whole; each is followed by the next request while there is time. */
static void take_replies(uint64_t end, int *in_flight)
{
    size_t length = REPLY_LENGTH + (is_write ? 0 : block), at = 0;
    for (; in_length - at >= length; at += length) {
        uint32_t magic, error;
        uint64_t handle, time = now();
        memcpy(&magic, in + at, sizeof(magic));
        memcpy(&error, in + at + 4, sizeof(error));
        memcpy(&handle, in + at + 8, sizeof(handle));
        if (be32toh(magic) != REPLY_MAGIC || error != 0) {
            errno = 0;
            fail("reply");
        }
        count_done(time - begins[handle]);
        if (time < end) {
            append(handle);
        } else {
            --*in_flight;
        }
    }
    memmove(in, in + at, in_length - at);
    in_length -= at;
}

int main(int count, char **arguments)
{
    uint64_t begin, end;
    int depth, in_flight, i;
    if (count != 7) {
        fprintf(stderr, "usage: nbd_load PORT random|sequential read|write BLOCK_SIZE DEPTH SECONDS\n");
        return 2;
    }
    is_random = strcmp(arguments[2], "random") == 0;
    is_write = strcmp(arguments[3], "write") == 0;
    block = (uint32_t)atoi(arguments[4]);
    depth = atoi(arguments[5]);
    in = malloc(RECEIVE_LENGTH);
    out = malloc((size_t)depth * (REQUEST_LENGTH + block));
    memset(out, 0x5A, (size_t)depth * (REQUEST_LENGTH + block));
    begins = calloc((size_t)depth, sizeof(*begins));
    connect_to(atoi(arguments[1]));
    tell("measuring");
    begin = now();
    end = begin + (uint64_t)(atof(arguments[6]) * 1e9);
    for (i = 0; i < depth; i++) {
        append((uint64_t)i);
    }
    for (in_flight = depth; in_flight > 0;) {
        ssize_t received;
        if (out_length > 0) {
            flush();
        }
        received = recv(server, in + in_length, RECEIVE_LENGTH - in_length, 0);
        if (received <= 0) {
            fail("receive");
        }
        in_length += (size_t)received;
        take_replies(end, &in_flight);
    }
    tell("measured");
    report((double)(now() - begin) / 1e9);
    return 0;
}
