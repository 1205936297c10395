#!/usr/bin/env python3
"""Measures srpt beside other targets of block storage in user space, in alternating rounds on this machine, over loopback.

Prints a table for each kind of load, and one of what was to be reached. All disks of one kind are the same size; those in a
file use the same one, which is in the page cache.

As root on Debian: apt-get install tgt istgt nbdkit qemu-utils gcc libc6-dev libiscsi-dev (what is not there is left out;
--install does it). Processes are ended by their pid; files are in a temporary folder, and gone afterwards.
"""
import os
import shutil
import statistics
import subprocess
from pathlib import Path

from harness import LARGE_READS, LARGE_WRITES, READS, WRITES, Load, Place, Program, Serve, bench, free_port, keep
from harness import option_parser, paired, parse, print_machine, say, spread, table

IQN = "iqn.2026-01.test"
PACKAGES = ["tgt", "istgt", "nbdkit", "qemu-utils", "gcc", "libc6-dev", "libiscsi-dev"]


class Test:
    """One kind of load."""

    def __init__(self, name, access, direction, block, depth):
        self.name, self.access, self.direction, self.block, self.depth = name, access, direction, block, depth


READ_1 = Test("4k random read, depth 1", "random", "read", 4096, 1)
READ_16 = Test("4k random read, depth 16", "random", "read", 4096, 16)
READ_32 = Test("4k random read, depth 32", "random", "read", 4096, 32)
WRITE_32 = Test("4k random write, depth 32", "random", "write", 4096, 32)
READ_LARGE = Test("128k sequential read, depth 8", "sequential", "read", 131072, 8)
WRITE_LARGE = Test("128k sequential write, depth 8", "sequential", "write", 131072, 8)
TESTS = [READ_1, READ_16, READ_32, WRITE_32, READ_LARGE, WRITE_LARGE]


class Site(Place):
    """A place with the volume that targets share, and with the loads of the peers."""

    def __init__(self, options):
        super().__init__(options, options.folder)
        self.volume = self.folder / "volume"
        with open(self.volume, "wb") as file:
            for _ in range(options.volume):
                file.write(bytes(1 << 20))
        os.sync()
        self.nbd_load = self.build("nbd_load") if shutil.which("gcc") else None
        iscsi = self.nbd_load and Path("/usr/include/iscsi/iscsi.h").exists()
        self.iscsi_load = self.build("iscsi_load", "-liscsi") if iscsi else None


class Target:
    """A target under test: started once a round, loaded with each test, ended."""

    def __init__(self, place):
        self.place = place
        self.port = free_port()
        self.resident = 0

    def start(self):
        self.program = Program(self.place, self.command())
        self.program.wait_for(lambda: self.program.listens_on(self.port))

    def measure(self, test):
        load = Load(self.place, self.program, self.load(test, self.place.options.seconds), self.watch)
        report = load.report
        return {"ios": report["ios"], "rate": report["ios"] / report["seconds"], "p50": report["p50"], "p99": report["p99"],
                "cpu": load.cpu_us / report["ios"]}

    def watch(self, phase):
        if phase == "measured":
            self.resident = max(self.resident, self.program.resident_kib() / 1024)


class Srpt(Target):
    serve_options = ()

    @classmethod
    def is_there(cls, place):
        return True

    def start(self):
        self.program = Serve(self.place, "--lun", self.lun(), *self.serve_options,
                             loads=(READS, WRITES, LARGE_READS, LARGE_WRITES))

    def measure(self, test):
        return bench(self.place, self.program, "--mix", test.direction, "--block-size", test.block, "--depth", test.depth,
                     f"--{test.access}", at_phase=self.watch)


class SrptMemory(Srpt):
    name = "srpt memory"

    def lun(self):
        return f"memory:{self.place.options.volume}MiB"


class SrptSpinning(SrptMemory):
    name = "srpt memory spinning"
    serve_options = ("--poll-spin", "50us")


class SrptFile(Srpt):
    name = "srpt file"

    def lun(self):
        return f"file:{self.place.volume}:{self.place.options.volume}MiB"


class Nbd(Target):
    @classmethod
    def is_there(cls, place):
        return shutil.which(cls.program_name) is not None and place.nbd_load

    def load(self, test, seconds):
        return [self.place.nbd_load, self.port, test.access, test.direction, test.block, test.depth, seconds]


class NbdkitMemory(Nbd):
    name, program_name = "nbdkit memory", "nbdkit"

    def command(self):
        return ["nbdkit", "-f", "-i", "127.0.0.1", "-p", self.port, "memory", f"{self.place.options.volume}M",
                "allocator=malloc"]

    def start(self):
        super().start()
        # Memory that was never written costs less to read.
        Load(self.place, self.program, self.load(WRITE_LARGE, 2))


class NbdkitFile(Nbd):
    name, program_name = "nbdkit file", "nbdkit"

    def command(self):
        return ["nbdkit", "-f", "-i", "127.0.0.1", "-p", self.port, "file", self.place.volume]


class QemuNbd(Nbd):
    name, program_name = "qemu-nbd", "qemu-nbd"

    def command(self):
        return ["qemu-nbd", "-b", "127.0.0.1", "-p", self.port, "-e", "4", "-f", "raw", "-t", "--cache=writeback",
                "--aio=io_uring", self.place.volume]


class Iscsi(Target):
    @classmethod
    def is_there(cls, place):
        return shutil.which(cls.program_name) is not None and place.iscsi_load

    def load(self, test, seconds):
        url = f"iscsi://127.0.0.1:{self.port}/{IQN}:disk/{self.lun}"
        return [self.place.iscsi_load, url, test.access, test.direction, test.block, test.depth, seconds]


class Tgt(Iscsi):
    name, program_name, lun = "tgt", "tgtd", 1

    def command(self):
        return ["tgtd", "-f", "-C", self.control(), "--iscsi", f"portal=127.0.0.1:{self.port}"]

    def control(self):
        return self.port % 1000 + 1000

    def start(self):
        super().start()
        for step in (["--mode", "target", "--op", "new", "--tid", "1", "-T", f"{IQN}:disk"],
                     ["--mode", "logicalunit", "--op", "new", "--tid", "1", "--lun", "1", "-b", self.place.volume,
                      "--bstype", "rdwr"],
                     ["--mode", "target", "--op", "bind", "--tid", "1", "-I", "ALL"]):
            subprocess.run(["tgtadm", "-C", str(self.control()), "--lld", "iscsi", *step], check=True)


class Istgt(Iscsi):
    name, program_name, lun = "istgt", "istgt", 0

    def command(self):
        folder = self.place.folder / "istgt"
        folder.mkdir(exist_ok=True)
        authentication = folder / "auth.conf"
        authentication.write_text('[AuthGroup1]\n  Comment "none"\n')
        authentication.chmod(0o600)
        (folder / "istgt.conf").write_text(ISTGT.format(
            iqn=IQN, folder=folder, port=self.port, control=free_port(), volume=self.place.volume,
            size=self.place.options.volume))
        return ["istgt", "-c", folder / "istgt.conf", "-D"]


ISTGT = """
[Global]
  NodeBase "{iqn}"
  PidFile {folder}/pid
  AuthFile {folder}/auth.conf
  MediaDirectory {folder}
  LogFacility "local7"
  DiscoveryAuthMethod None
  MaxSessions 16
  MaxConnections 4
  MaxR2T 32
  MaxOutstandingR2T 16
  FirstBurstLength 262144
  MaxBurstLength 1048576
  MaxRecvDataSegmentLength 262144
  InitialR2T Yes
  ImmediateData Yes
[UnitControl]
  AuthMethod None
  AuthGroup None
  Portal UC1 127.0.0.1:{control}
  Netmask 127.0.0.0/8
[PortalGroup1]
  Portal DA1 127.0.0.1:{port}
[InitiatorGroup1]
  InitiatorName "ALL"
  Netmask 127.0.0.0/8
[LogicalUnit1]
  TargetName disk
  Mapping PortalGroup1 InitiatorGroup1
  AuthMethod Auto
  AuthGroup AuthGroup1
  UnitType Disk
  QueueDepth 64
  LUN0 Storage {volume} {size}MB
"""

TARGETS = [SrptMemory, SrptSpinning, SrptFile, NbdkitMemory, NbdkitFile, QemuNbd, Tgt, Istgt]

# What is compared: the load, the figure, us, the peer, the ratio, and whether that is the least or the most.
GOALS = [
    (READ_32, "cpu", SrptMemory, NbdkitMemory, 0.7), (READ_32, "cpu", SrptMemory, Tgt, 0.35),
    (READ_32, "rate", SrptMemory, NbdkitMemory, 1.2), (WRITE_32, "cpu", SrptMemory, NbdkitMemory, 0.9),
    (READ_1, "p50", SrptMemory, NbdkitMemory, 1.0), (READ_1, "p50", SrptSpinning, NbdkitMemory, 0.4),
    (READ_LARGE, "cpu", SrptMemory, NbdkitMemory, 0.8), (WRITE_LARGE, "cpu", SrptMemory, NbdkitMemory, 1.8),
    (READ_32, "cpu", SrptFile, NbdkitFile, 0.7), (READ_32, "cpu", SrptFile, Tgt, 0.35),
    (READ_32, "rate", SrptFile, NbdkitFile, 1.2), (WRITE_32, "cpu", SrptFile, NbdkitFile, 0.9),
    (READ_1, "p50", SrptFile, NbdkitFile, 1.0), (READ_LARGE, "cpu", SrptFile, NbdkitFile, 0.8),
    (WRITE_LARGE, "cpu", SrptFile, NbdkitFile, 1.8),
]
FIGURES = {"cpu": "CPU per I/O", "rate": "IOPS", "p50": "p50"}
RESIDENT_MIB = 160


def print_test(test, results):
    """Medians and ranges of one test, a row each target, and the ratio of srpt memory to it."""
    rows = []
    for target in (target.name for target in TARGETS if test.name in results.get(target.name, {})):
        rounds = results[target][test.name]
        rate, cpu, p50, p99 = ([one[key] for one in rounds] for key in ("rate", "cpu", "p50", "p99"))
        ours = results.get(SrptMemory.name, {}).get(test.name)
        ratio = "" if ours is None else "{:.2f}, {:.2f}".format(
            paired([one["cpu"] for one in ours], cpu), paired([one["rate"] for one in ours], rate))
        rows.append((target, spread(rate, 0), f"{statistics.median(rate) * test.block / 1e6:,.0f}", spread(p50, 0),
                     spread(p99, 0), spread(cpu), ratio))
    table([test.name, "IOPS", "MB/s", "p50 us", "p99 us", "target CPU us per I/O", "srpt memory to this: CPU, IOPS"], rows)


def print_goals(results, resident, volume):
    rows = []
    for test, figure, ours, peer, limit in GOALS:
        mine, other = (results.get(target.name, {}).get(test.name) for target in (ours, peer))
        if mine and other:
            ratio = paired([one[figure] for one in mine], [one[figure] for one in other])
            reached = ratio >= limit if figure == "rate" else ratio <= limit
            rows.append((f"{test.name}: {FIGURES[figure]} of {ours.name} to {peer.name}",
                         f"{'at least' if figure == 'rate' else 'at most'} {limit}", f"{ratio:.2f}", "yes" if reached else "**no**"))
    if SrptMemory.name in resident:
        memory = max(resident[SrptMemory.name]) - volume
        rows.append((f"resident memory of {SrptMemory.name} without its disk", f"at most {RESIDENT_MIB} MiB", f"{memory:.0f} MiB",
                     "yes" if memory <= RESIDENT_MIB else "**no**"))
    table(["what", "to reach", "measured", "reached"], rows)


def main():
    parser = option_parser(__doc__)
    parser.add_argument("--volume", type=int, default=1024, help="size of the disks in MiB (1024)")
    parser.add_argument("--folder", default="/var/tmp", help="where the volume is, on a local file system (/var/tmp)")
    parser.add_argument("--targets", help="names with commas between: " + ", ".join(target.name for target in TARGETS))
    parser.add_argument("--tests", help="parts of names of tests with commas between")
    parser.add_argument("--install", action="store_true", help="first installs the peers with apt-get")
    options = parse(parser)
    if options.install:
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES], check=True)
    tests = [test for test in TESTS if options.tests is None or any(part in test.name for part in options.tests.split(","))]
    wanted = None if options.targets is None else options.targets.split(",")
    results, resident = {}, {}
    with Site(options) as place:
        kinds = [kind for kind in TARGETS if wanted is None or kind.name in wanted]
        for kind in [kind for kind in kinds if not kind.is_there(place)]:
            say(f"left out: {kind.name} is not installed")
            kinds.remove(kind)
        for number in range(options.rounds):
            for kind in kinds:
                target = kind(place)
                target.start()
                for test in tests:
                    result = target.measure(test)
                    results.setdefault(kind.name, {}).setdefault(test.name, []).append(result)
                    say(f"{number + 1}: {kind.name}: {test.name}: {result['rate']:.0f} IOPS, {result['cpu']:.1f} us")
                resident.setdefault(kind.name, []).append(target.resident)
                target.program.stop()
    kept = keep(options, {"results": results, "resident": resident})
    print_machine()
    for test in tests:
        print_test(test, kept["results"])
    print_goals(kept["results"], kept["resident"], options.volume)


if __name__ == "__main__":
    main()
