#!/usr/bin/env python3
"""Check a capture of RoCEv2: every invariant CRC by zlib's CRC-32, and what was said in each direction.

check-fabric.py FILE.pcap TARGET_ADDRESS...

Prints `name value` lines. Shares no code with the product: an error in ours cannot hide here.
"""
import collections
import ipaddress
import struct
import sys
import zlib

ROCE_PORT = 4791
DETH_LENGTH, BTH_LENGTH = 8, 12
UD_SEND_ONLY = 0x64
CM_CLASS, DM_CLASS = 0x07, 0x06
KINDS = {
    "send": {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x16, 0x17},
    "write": {0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B},
    "read_request": {0x0C},
    "read_response": {0x0D, 0x0E, 0x0F, 0x10},
    "acknowledge": {0x11},
}


def packets(file_name):
    """Ethernet frames of a classic pcap file of either byte order."""
    with open(file_name, "rb") as f:
        data = f.read()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    if struct.unpack_from(order + "I", data, 20)[0] != 1:
        sys.exit("not an Ethernet capture")
    at = 24
    while at + 16 <= len(data):
        captured, length = struct.unpack_from(order + "II", data, at + 8)
        if captured != length:
            sys.exit("a truncated packet: capture with the full length")
        yield data[at + 16:at + 16 + captured]
        at += 16 + captured


def roce(frame):
    """(source, IP header, UDP datagram) of a RoCEv2 frame, or None."""
    kind = struct.unpack_from(">H", frame, 12)[0]
    ip = frame[14:]
    if kind == 0x0800 and ip[9] == 17:
        header = (ip[0] & 15) * 4
        length, source = struct.unpack_from(">H", ip, 2)[0], ipaddress.ip_address(ip[12:16])
    elif kind == 0x86DD and ip[6] == 17:
        header = 40
        length, source = 40 + struct.unpack_from(">H", ip, 4)[0], ipaddress.ip_address(ip[8:24])
    else:
        return None
    udp = ip[header:length]
    if struct.unpack_from(">H", udp, 2)[0] != ROCE_PORT:
        return None
    return source, ip[:header], udp


def invariant_crc(ip, udp):
    """What routers may change counts as ones; the place of the local route header is eight bytes of ones."""
    ip, udp = bytearray(ip), bytearray(udp[:-4])
    if ip[0] >> 4 == 4:
        ip[1] = ip[8] = ip[10] = ip[11] = 0xFF
    else:
        ip[0] |= 0x0F
        ip[1] = ip[2] = ip[3] = ip[7] = 0xFF
    udp[6] = udp[7] = udp[12] = 0xFF
    return zlib.crc32(b"\xff" * 8 + bytes(ip) + bytes(udp))


def kind_of(transport):
    opcode = transport[0]
    if opcode == UD_SEND_ONLY:
        management_class = transport[BTH_LENGTH + DETH_LENGTH + 1]
        return {CM_CLASS: "cm", DM_CLASS: "dm"}.get(management_class, "mad")
    for kind, opcodes in KINDS.items():
        if opcode in opcodes:
            return kind
    return "opcode_%02x" % opcode


def main(file_name, addresses):
    targets = {ipaddress.ip_address(address) for address in addresses}
    counts = collections.Counter({"icrc_right": 0, "icrc_wrong": 0, "from_target": 0, "to_target": 0})
    dm_queries, dm_answers = collections.Counter(), collections.Counter()
    for frame in packets(file_name):
        packet = roce(frame)
        if packet is None:
            continue
        source, ip, udp = packet
        direction = "from_target" if source in targets else "to_target"
        right = struct.unpack("<I", udp[-4:])[0] == invariant_crc(ip, udp)
        counts["icrc_right" if right else "icrc_wrong"] += 1
        counts[direction] += 1
        kind = kind_of(udp[8:])
        counts["%s.%s" % (direction, kind)] += 1
        if kind == "dm":
            mad = udp[8 + BTH_LENGTH + DETH_LENGTH:]
            (dm_answers if mad[3] & 0x80 else dm_queries)[mad[8:16]] += 1
    counts["dm.transactions"] = len(dm_queries)
    counts["dm.answered_once"] = sum(1 for tid in dm_queries if dm_answers[tid] == 1)
    counts["dm.answered_again"] = sum(1 for tid in dm_answers if dm_answers[tid] > dm_queries[tid])
    for name in sorted(counts):
        print(name, counts[name])


main(sys.argv[1], sys.argv[2:])
