#!/usr/bin/env python3
"""Measures srpt beside other targets of block storage in user space, in alternating rounds on this machine, over loopback.

A target runs on one core and its load on another. What holds on a machine that others use, too, is the CPU time of the target's
process per I/O and the ratio of rates in one round; the table has the median over the rounds of each.

usage: peers.py [--rounds N] [--seconds N] [--targets NAME,...] [--tests NAME,...] [--jar FILE] [--json FILE] [--volume MIB]

As root on Debian: apt-get install tgt istgt nbdkit qemu-utils fio gcc libc6-dev libiscsi-dev (what is not there is left out).
Processes are ended by their pid; files are in a temporary folder under /dev/shm, and gone afterwards.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TICK_US = 1e6 / os.sysconf("SC_CLK_TCK")
IQN = "iqn.2026-01.test"


class Test:
    """One kind of load."""

    def __init__(self, name, access, direction, block, depth):
        self.name, self.access, self.direction, self.block, self.depth = name, access, direction, block, depth


TESTS = [
    Test("4k random read, depth 1", "random", "read", 4096, 1),
    Test("4k random read, depth 16", "random", "read", 4096, 16),
    Test("4k random read, depth 32", "random", "read", 4096, 32),
    Test("4k random write, depth 32", "random", "write", 4096, 32),
    Test("128k sequential read, depth 8", "sequential", "read", 131072, 8),
    Test("128k sequential write, depth 8", "sequential", "write", 131072, 8),
]


class Place:
    """Where a run keeps its files and what it is allowed to use."""

    def __init__(self, options):
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="srpt-peers.", dir="/dev/shm"))
        self.volume = self.folder / "volume"
        self.iscsi_load = self.folder / "iscsi_load"
        cores = sorted(os.sched_getaffinity(0))
        self.target_core, self.load_core = cores[0], cores[-1]

    def make_volume(self):
        with open(self.volume, "wb") as file:
            for _ in range(self.options.volume):
                file.write(bytes(1 << 20))

    def build(self):
        if shutil.which("gcc") and Path("/usr/include/iscsi/iscsi.h").exists():
            subprocess.run(["gcc", "-O2", "-o", self.iscsi_load, HERE / "iscsi_load.c", "-liscsi"], check=True)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Target:
    """A target under test: started once a round, loaded with each test, ended."""

    program = ""

    def __init__(self, place):
        self.place = place
        self.port = free_port()

    @classmethod
    def is_there(cls, place):
        return shutil.which(cls.program) is not None

    def start(self):
        self.log = open(self.place.folder / "target.log", "wb")
        self.process = subprocess.Popen(
            ["taskset", "-c", str(self.place.target_core), *map(str, self.command())],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        self.wait_until_ready()

    def wait_until_ready(self):
        self.wait_for(self.is_listening)

    def wait_for(self, condition):
        deadline = time.monotonic() + 20
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"{self.name} does not start:\n{(self.place.folder / 'target.log').read_text(errors='replace')}")
            time.sleep(0.05)

    def is_listening(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def cpu_us(self):
        """CPU time of the process, of its ended threads too, in microseconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK_US

    def resident_mib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def run(self, command):
        command = ["taskset", "-c", str(self.place.load_core), *map(str, command)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def measure(self, test):
        cpu = self.cpu_us()
        result = self.load(test, self.place.options.seconds)
        result["cpu"] = (self.cpu_us() - cpu) / result["ios"]
        return result


class Srpt(Target):
    address = "127.0.0.61"

    @classmethod
    def is_there(cls, place):
        return place.options.jar.exists()

    def java(self, *arguments):
        return [Path(os.environ["JAVA_HOME"]) / "bin/java", "-jar", self.place.options.jar, *arguments]

    def command(self):
        state = self.place.folder / "state"
        return self.java("serve", "--lun", self.lun(), "--listen", self.address, "--http", "none", "--state-dir", state,
                         *self.serve_options)

    serve_options = ()

    def wait_until_ready(self):
        self.wait_for(lambda: b"dest=" in (self.place.folder / "target.log").read_bytes())
        # Loads compiled code, as a service that runs for months has it.
        for test in (TESTS[2], TESTS[3], TESTS[4], TESTS[5]):
            self.load(test, 4)

    def load(self, test, seconds):
        report = json.loads(self.run(self.java(
            "bench", self.address, "--json", "--warmup", "0", "--seconds", seconds, "--mix", test.direction,
            "--block-size", test.block, "--depth", test.depth, f"--{test.access}")))
        latency = report["latency_us"]
        return {"ios": report["total_reads"] + report["total_writes"], "rate": report["iops"], "p50": latency["p50"],
                "p99": latency["p99"]}


class SrptMemory(Srpt):
    name = "srpt memory"

    def lun(self):
        return f"memory:{self.place.options.volume}MiB"


class SrptSpinning(SrptMemory):
    name = "srpt memory, spinning"
    serve_options = ("--poll-spin", "50us")


class SrptFile(Srpt):
    name = "srpt file"

    def lun(self):
        return f"file:{self.place.volume}:{self.place.options.volume}MiB"


class Nbd(Target):
    def load(self, test, seconds):
        access = "rand" if test.access == "random" else ""
        output = self.run([
            "fio", "--name=load", "--ioengine=nbd", f"--uri=nbd://127.0.0.1:{self.port}/", f"--rw={access}{test.direction}",
            f"--bs={test.block}", f"--iodepth={test.depth}", "--time_based", f"--runtime={seconds}",
            f"--size={self.place.options.volume}m", "--norandommap", "--output-format=json",
            "--percentile_list=50:99"])
        # fio writes notes before its report.
        report = json.loads(output[output.index("{\n"):])
        job = report["jobs"][0][test.direction]
        percentile = job["clat_ns"]["percentile"]
        return {"ios": job["total_ios"], "rate": job["iops"], "p50": percentile["50.000000"] / 1000,
                "p99": percentile["99.000000"] / 1000}


class NbdkitMemory(Nbd):
    name, program = "nbdkit memory", "nbdkit"

    def command(self):
        return ["nbdkit", "-f", "-i", "127.0.0.1", "-p", self.port, "memory", f"{self.place.options.volume}M",
                "allocator=malloc"]

    def wait_until_ready(self):
        super().wait_until_ready()
        # Memory that was never written costs less to read.
        self.load(TESTS[5], 2)


class NbdkitFile(Nbd):
    name, program = "nbdkit file", "nbdkit"

    def command(self):
        return ["nbdkit", "-f", "-i", "127.0.0.1", "-p", self.port, "file", self.place.volume]


class QemuNbd(Nbd):
    name, program = "qemu-nbd", "qemu-nbd"

    def command(self):
        return ["qemu-nbd", "-b", "127.0.0.1", "-p", self.port, "-e", "4", "-f", "raw", "-t", "--cache=writeback",
                "--aio=io_uring", self.place.volume]


class Iscsi(Target):
    @classmethod
    def is_there(cls, place):
        return shutil.which(cls.program) is not None and place.iscsi_load.exists()

    def load(self, test, seconds):
        report = json.loads(self.run([self.place.iscsi_load, self.url(), test.access, test.direction, test.block, test.depth,
                                      seconds]))
        return {"ios": report["ios"], "rate": report["ios"] / report["seconds"], "p50": report["p50"], "p99": report["p99"]}


class Tgt(Iscsi):
    name, program = "tgt", "tgtd"

    def command(self):
        return ["tgtd", "-f", "-C", self.control(), "--iscsi", f"portal=127.0.0.1:{self.port}"]

    def control(self):
        return self.port % 1000 + 1000

    def wait_until_ready(self):
        super().wait_until_ready()
        for step in (["--mode", "target", "--op", "new", "--tid", "1", "-T", f"{IQN}:disk"],
                     ["--mode", "logicalunit", "--op", "new", "--tid", "1", "--lun", "1", "-b", self.place.volume,
                      "--bstype", "rdwr"],
                     ["--mode", "target", "--op", "bind", "--tid", "1", "-I", "ALL"]):
            self.run(["tgtadm", "-C", self.control(), "--lld", "iscsi", *step])

    def url(self):
        return f"iscsi://127.0.0.1:{self.port}/{IQN}:disk/1"


class Istgt(Iscsi):
    name, program = "istgt", "istgt"

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

    def url(self):
        return f"iscsi://127.0.0.1:{self.port}/{IQN}:disk/0"


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


def table(test, results):
    """Medians of one test, a row each target, and the ratio of srpt memory to it."""
    def median(target, key):
        return statistics.median(result[key] for result in results[target.name][test.name])

    yield f"| {test.name} | IOPS | MB/s | p50 us | p99 us | target CPU us per I/O | srpt memory: CPU, IOPS to this |"
    yield "|---|---|---|---|---|---|---|"
    for target in (target for target in TARGETS if target.name in results):
        rate, cpu = median(target, "rate"), median(target, "cpu")
        ratio = ""
        if SrptMemory.name in results:
            # Pairs of one round: what else goes on then is the same for both.
            pairs = list(zip(results[SrptMemory.name][test.name], results[target.name][test.name]))
            ratio = "{:.2f}, {:.2f}".format(statistics.median(a["cpu"] / b["cpu"] for a, b in pairs),
                                            statistics.median(a["rate"] / b["rate"] for a, b in pairs))
        yield (f"| {target.name} | {rate:,.0f} | {rate * test.block / 1e6:,.0f} | {median(target, 'p50'):.0f} "
               f"| {median(target, 'p99'):.0f} | {cpu:.1f} | {ratio} |")
    yield ""


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often each target is started and measured (3)")
    parser.add_argument("--seconds", type=int, default=6, help="seconds of a test (6)")
    parser.add_argument("--volume", type=int, default=1024, help="size of the disks in MiB (1024)")
    parser.add_argument("--targets", help="names with commas between; all that are installed else: "
                        + ", ".join(target.name.replace(", ", "-") for target in TARGETS))
    parser.add_argument("--tests", help="parts of names of tests with commas between")
    parser.add_argument("--jar", type=Path, default=HERE.parents[2] / "target/srpt.jar")
    parser.add_argument("--json", type=Path, help="also writes every single result there")
    return parser.parse_args()


def main():
    chosen = options()
    if "JAVA_HOME" not in os.environ:
        sys.exit("set JAVA_HOME to a JDK 25")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    place = Place(chosen)
    running = None
    results = {}
    try:
        place.build()
        place.make_volume()
        tests = [test for test in TESTS if chosen.tests is None or any(part in test.name for part in chosen.tests.split(","))]
        wanted = None if chosen.targets is None else chosen.targets.split(",")
        kinds = [kind for kind in TARGETS if wanted is None or kind.name.replace(", ", "-") in wanted]
        for kind in [kind for kind in kinds if not kind.is_there(place)]:
            print(f"left out: {kind.name} is not installed", file=sys.stderr)
            kinds.remove(kind)
        for number in range(chosen.rounds):
            for kind in kinds:
                running = kind(place)
                running.start()
                for test in tests:
                    result = running.measure(test)
                    results.setdefault(kind.name, {}).setdefault(test.name, []).append(result)
                    print(f"{number + 1}: {kind.name}: {test.name}: {result['rate']:.0f} IOPS, {result['cpu']:.1f} us",
                          file=sys.stderr)
                print(f"{number + 1}: {kind.name}: {running.resident_mib():.0f} MiB resident", file=sys.stderr)
                running.stop()
                running = None
    finally:
        if running is not None:
            running.stop()
        place.remove()
    for test in tests:
        print("\n".join(table(test, results)))
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
