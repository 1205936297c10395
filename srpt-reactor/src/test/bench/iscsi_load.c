/*
 * A load on an iSCSI LUN: one connection, a fixed number of commands in flight, for a time. Prints one JSON object.
 * Usage: iscsi_load URL random|sequential read|write BLOCK_SIZE DEPTH SECONDS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include "load.h"

struct command {
    unsigned char *data;
    struct scsi_iovec segment;
    uint64_t begin;
};

static struct iscsi_context *session;
static int lun, sector;
static uint32_t block;
static uint64_t blocks, next_block;
static bool is_random, is_write;
static uint64_t end, in_flight;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, session != NULL ? iscsi_get_error(session) : strerror(errno));
    exit(1);
}

static uint64_t place(void)
{
    if (!is_random) {
        return next_block++ % blocks;
    }
    return random_below(blocks);
}

static void issue(struct command *command);

static void completed(struct iscsi_context *context, int status, void *data, void *opaque)
{
    struct command *command = opaque;
    uint64_t time = now();
    (void)context;
    errors += status != SCSI_STATUS_GOOD;
    scsi_free_scsi_task(data);
    count_done(time - command->begin);
    in_flight--;
    if (time < end) {
        issue(command);
    }
}

static void issue(struct command *command)
{
    uint64_t lba = place() * (block / (uint32_t)sector);
    struct scsi_task *task;
    command->begin = now();
    task = is_write ? iscsi_write16_task(session, lun, lba, command->data, block, sector, 0, 0, 0, 0, 0, completed, command)
                    : iscsi_read16_iov_task(session, lun, lba, block, sector, 0, 0, 0, 0, 0, completed, command,
                                            &command->segment, 1);
    if (task == NULL) {
        fail("command");
    }
    in_flight++;
}

static void connect_to(const char *text)
{
    struct iscsi_url *url;
    struct scsi_task *task;
    struct scsi_readcapacity16 *capacity;
    session = iscsi_create_context("iqn.2026-01.test:load");
    url = iscsi_parse_full_url(session, text);
    if (url == NULL) {
        fail("URL");
    }
    iscsi_set_targetname(session, url->target);
    iscsi_set_session_type(session, ISCSI_SESSION_NORMAL);
    iscsi_set_header_digest(session, ISCSI_HEADER_DIGEST_NONE);
    iscsi_set_immediate_data(session, ISCSI_IMMEDIATE_DATA_YES);
    iscsi_set_initial_r2t(session, ISCSI_INITIAL_R2T_NO);
    lun = url->lun;
    if (iscsi_full_connect_sync(session, url->portal, lun) != 0) {
        fail("login");
    }
    task = iscsi_readcapacity16_sync(session, lun);
    capacity = task != NULL ? scsi_datain_unmarshall(task) : NULL;
    if (capacity == NULL) {
        fail("READ CAPACITY");
    }
    sector = (int)capacity->block_length;
    blocks = (capacity->returned_lba + 1) * capacity->block_length / block;
    scsi_free_scsi_task(task);
}

int main(int count, char **arguments)
{
    struct command *commands;
    uint64_t begin;
    int depth, i;
    double seconds;
    if (count != 7) {
        fprintf(stderr, "usage: iscsi_load URL random|sequential read|write BLOCK_SIZE DEPTH SECONDS\n");
        return 2;
    }
    is_random = strcmp(arguments[2], "random") == 0;
    is_write = strcmp(arguments[3], "write") == 0;
    block = (uint32_t)atoi(arguments[4]);
    depth = atoi(arguments[5]);
    seconds = atof(arguments[6]);
    connect_to(arguments[1]);
    commands = calloc((size_t)depth, sizeof(*commands));
    tell("measuring");
    begin = now();
    end = begin + (uint64_t)(seconds * 1e9);
    for (i = 0; i < depth; i++) {
        if (posix_memalign((void **)&commands[i].data, 4096, block) != 0) {
            fail("memory");
        }
        memset(commands[i].data, i + 1, block);
        commands[i].segment.iov_base = commands[i].data;
        commands[i].segment.iov_len = block;
        issue(&commands[i]);
    }
    while (in_flight > 0) {
        struct pollfd ready = {.fd = iscsi_get_fd(session), .events = (short)iscsi_which_events(session)};
        if (poll(&ready, 1, 1000) < 0 && errno != EINTR) {
            perror("poll");
            return 1;
        }
        if (iscsi_service(session, ready.revents) < 0) {
            fail("service");
        }
    }
    seconds = (double)(now() - begin) / 1e9;
    tell("measured");
    report(seconds);
    iscsi_logout_sync(session);
    return errors != 0;
}
