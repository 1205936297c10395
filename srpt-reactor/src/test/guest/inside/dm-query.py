#!/usr/bin/env python3
"""Ask a Device Management agent (management class 0x06) through /dev/infiniband/umad0.

dm-query.py GID METHOD:ATTRIBUTE:MODIFIER...       one answer a line
dm-query.py --count N GID METHOD:ATTRIBUTE:MODIFIER...  the queries in turn, N in all; counts only
dm-query.py --once GID METHOD:ATTRIBUTE:MODIFIER...     one answer a line; a query is not repeated when its time is over

METHOD is get or set; numbers are hexadecimal. GID is an IPv6 address of the target. The kernel (ib_mad) matches an
answer to its query by transaction id and drops a second one, so duplicates must be looked for on the wire.
"""
import fcntl
import ipaddress
import os
import select
import struct
import sys

UMAD = "/dev/infiniband/umad0"
GIDS = "/sys/class/infiniband/rxe0/ports/1/gids"
REGISTER_AGENT = 0xC01C1B01
ENABLE_PKEY = 0x1B03
# id, status, timeout (ms), retries, length, qpn, qkey, lid, sl, path bits, grh present, gid index, hop limit,
# traffic class, gid, flow label, pkey index; the first five and the last in host order
HEADER = struct.Struct("=IIIII4s4s2sBBBBBB16s4sH6x")
DM_CLASS = 0x06
QKEY = 0x80010000
METHODS = {"get": 0x01, "set": 0x02}
MAD = 256
WINDOW = 8


def open_agent():
    fd = os.open(UMAD, os.O_RDWR)
    fcntl.ioctl(fd, ENABLE_PKEY)
    # id (out), method mask (none: only answers), qpn 1, class, class version, OUI, RMPP version
    request = bytearray(struct.pack("=I16xBBB3xB1x", 0, 1, DM_CLASS, 1, 0))
    fcntl.ioctl(fd, REGISTER_AGENT, request, True)
    return fd, struct.unpack_from("=I", request)[0]


def source_index(gid):
    """Index of the own GID in the same /64 as the target's."""
    for index in range(16):
        with open("%s/%d" % (GIDS, index)) as f:
            own = ipaddress.IPv6Address(f.read().strip())
        if own.packed[:8] == gid.packed[:8]:
            return index
    sys.exit("no GID in the subnet of %s" % gid)


def mad(query, tid):
    method, attribute, modifier = query
    head = struct.pack(">BBBBHHQHHI", 1, DM_CLASS, 1, METHODS[method], 0, 0, tid, attribute, 0, modifier)
    return head + bytes(MAD - len(head))


class Agent:
    def __init__(self, gid, retries=3):
        self.retries = retries
        self.fd, self.id = open_agent()
        self.gid, self.index, self.tid = gid, source_index(gid), 0

    def send(self, query):
        self.tid += 1
        header = HEADER.pack(self.id, 0, 2000, self.retries, MAD, struct.pack(">I", 1), struct.pack(">I", QKEY), bytes(2), 0, 0,
                             1, self.index, 64, 0, self.gid.packed, bytes(4), 0)
        os.write(self.fd, header + mad(query, self.tid))
        return self.tid

    def receive(self):
        """(tid, umad status, MAD); the upper half of a transaction id belongs to the kernel."""
        if not select.select([self.fd], [], [], 12)[0]:
            sys.exit("nothing came back from umad")
        data = os.read(self.fd, HEADER.size + MAD)
        answer = data[HEADER.size:]
        return struct.unpack_from(">I", answer, 12)[0], HEADER.unpack_from(data)[1], answer


def show(agent, queries):
    for query in queries:
        tid = agent.send(query)
        answered, status, answer = agent.receive()
        if status != 0:
            print("%s:%04x:%08x unanswered (%s)" % (*query, os.strerror(status)))
            continue
        if answered != tid:
            sys.exit("answer to %x, not to %x" % (answered, tid))
        method, mad_status = answer[3], struct.unpack_from(">H", answer, 4)[0]
        attribute, modifier = struct.unpack_from(">H2xI", answer, 16)
        print("%s:%04x:%08x method=%02x status=%04x attribute=%04x modifier=%08x data=%s"
              % (*query, method, mad_status, attribute, modifier, answer[64:].hex()))


def load(agent, queries, count):
    waiting, answered, timed_out, foreign, repeated = set(), set(), 0, 0, 0
    sent = 0
    while sent < count or waiting:
        if sent < count and len(waiting) < WINDOW:
            waiting.add(agent.send(queries[sent % len(queries)]))
            sent += 1
            continue
        tid, status, _ = agent.receive()
        if tid in answered:
            repeated += 1
        elif tid not in waiting:
            foreign += 1
        elif status != 0:
            timed_out += 1
            waiting.discard(tid)
        else:
            waiting.discard(tid)
            answered.add(tid)
    print("sent %d\nanswered %d\ntimed_out %d\nforeign %d\nrepeated %d"
          % (sent, len(answered), timed_out, foreign, repeated))


def main(arguments):
    count = 0
    retries = 3
    if arguments[0] == "--once":
        retries = 0
        arguments = arguments[1:]
    if arguments[0] == "--count":
        count = int(arguments[1])
        arguments = arguments[2:]
    queries = []
    for text in arguments[1:]:
        method, attribute, modifier = text.split(":")
        queries.append((method, int(attribute, 16), int(modifier, 16)))
    agent = Agent(ipaddress.IPv6Address(arguments[0]), retries)
    if count:
        load(agent, queries, count)
    else:
        show(agent, queries)


main(sys.argv[1:])
