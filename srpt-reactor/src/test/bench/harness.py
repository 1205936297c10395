"""What the measurements in this folder share: programs under test and their CPU time, loads, the disk, and tables.

A program under test runs on one core and its load on another. Its CPU time is read, in nanoseconds, when the load says that the
measured time begins (a line `measuring` on standard error) and when it says that it ends (`measured`), so neither warm-up nor
start counts. What holds on a machine that others use, too, is CPU time per operation and the ratio of two in one round.
"""
import datetime
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
JAR = HERE.parents[2] / "target/srpt.jar"
# Of the program under test, and of loads that need one of their own.
ADDRESS = os.environ.get("SRPT_BENCH_ADDRESS", "127.0.0.61")
LOAD_ADDRESS = os.environ.get("SRPT_BENCH_LOAD_ADDRESS", "127.0.0.62")


def option_parser(description):
    """The options that all measurements have."""
    import argparse
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is measured, in turns (3)")
    parser.add_argument("--seconds", type=int, default=6, help="seconds of a measurement (6)")
    parser.add_argument("--warmup", type=int, default=3, help="seconds of a load before that; 0: not even srpt's own (3)")
    parser.add_argument("--jar", type=Path, default=JAR, help="the srpt that is measured")
    parser.add_argument("--json", type=Path, help="adds every single result to those that are in this file; tables tell of all")
    return parser


def parse(parser):
    """Options; ends where something is missing."""
    options = parser.parse_args()
    if "JAVA_HOME" not in os.environ:
        sys.exit("set JAVA_HOME to a JDK 25")
    if not options.jar.exists():
        sys.exit(f"{options.jar} is not there: mvn -Pquick -DskipTests package")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return options


class Place:
    """Where a run keeps its files and which cores it uses. Gone at the end of a `with` block, with what still runs."""

    def __init__(self, options, parent="/dev/shm"):
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="srpt-bench.", dir=parent))
        cores = sorted(os.sched_getaffinity(0))
        self.target_core, self.load_core = cores[0], cores[-1]
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in list(self.running):
            program.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def build(self, name, *libraries):
        """Compiles a program of this folder."""
        program = self.folder / name
        subprocess.run(["gcc", "-O2", "-o", program, HERE / f"{name}.c", *libraries], check=True)
        return program

    def java(self, *arguments):
        return [Path(os.environ["JAVA_HOME"]) / "bin/java", "-jar", self.options.jar, *arguments]


class Program:
    """A program under test."""

    def __init__(self, place, command):
        self.place, self.name = place, Path(str(command[0])).name
        self.log_file = place.folder / f"log.{len(os.listdir(place.folder))}"
        self.log = open(self.log_file, "wb")
        self.process = subprocess.Popen(["taskset", "-c", str(place.target_core), *map(str, command)], stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=subprocess.STDOUT)
        # The clock of that process: all its threads, those that have ended, too.
        self.clock = (~self.process.pid << 3) | 2
        place.running.append(self)

    def text(self):
        return self.log_file.read_text(errors="replace")

    def wait_for(self, condition):
        deadline = time.monotonic() + 20
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"{self.name} does not start:\n{self.text()}")
            time.sleep(0.05)

    def listens_on(self, port):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    def stop(self):
        self.place.running.remove(self)
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def cpu_us(self):
        return time.clock_gettime_ns(self.clock) / 1000

    def resident_kib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Serve(Program):
    """`srpt serve` on ADDRESS, warmed up with some loads, as a service that has run for a while is."""

    def __init__(self, place, *options, loads=()):
        super().__init__(place, place.java("serve", "--listen", ADDRESS, "--state-dir", place.folder / "state", *options,
                                           *(() if "--http" in options else ("--http", "none"))))
        self.wait_for(lambda: "dest=" in self.text())
        if place.options.warmup > 0:
            for load in loads:
                bench(place, self, *load, seconds=4, warmup=0)


READS, WRITES = ("--mix", "read"), ("--mix", "write")
LARGE_READS, LARGE_WRITES = ((*mix, "--block-size", 131072, "--depth", 8) for mix in (READS, WRITES))


class Load:
    """A load on a program, run to its end: its report, and what the program under test spent meanwhile."""

    def __init__(self, place, program, command, at_phase=lambda phase: None):
        command = ["taskset", "-c", str(place.load_core), *map(str, command)]
        self.cpu = {}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said = []
        for line in process.stderr:
            phase = line.strip().partition(":")[0]
            if phase in ("logged in", "measuring", "measured"):
                self.cpu[phase] = program.cpu_us()
                at_phase(phase)
            else:
                said.append(line)
        output = process.stdout.read()
        if process.wait() != 0:
            sys.exit(f"{' '.join(command)} failed:\n{output}{''.join(said)}\n{program.name}:\n{program.text()}")
        self.report = json.loads(output)
        self.cpu_us = self.cpu["measured"] - self.cpu["measuring"]


def bench(place, program, *options, seconds=None, warmup=None, at_phase=lambda phase: None):
    """`srpt bench` on a Serve."""
    chosen = place.options
    load = Load(place, program, place.java("bench", ADDRESS, "--json",
                                           "--seconds", chosen.seconds if seconds is None else seconds,
                                           "--warmup", chosen.warmup if warmup is None else warmup, *options), at_phase)
    report = load.report
    ios = report["reads"] + report["writes"]
    return {"ios": ios, "rate": report["iops"], "p50": report["latency_us"]["p50"], "p99": report["latency_us"]["p99"],
            "cpu": load.cpu_us / max(1, ios), "logins": report["logins_per_second"]}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def paired(first, second):
    """The median ratio of two lists: what else goes on in a round is the same for both."""
    return statistics.median(a / b for a, b in zip(first, second))


def spread(values, digits=1):
    """Median and range."""
    if len(values) == 1:
        return f"{values[0]:,.{digits}f}"
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)


def say(text):
    print(text, file=sys.stderr, flush=True)


def keep(options, results):
    """Adds results, lists by key in nested dictionaries, to those of earlier runs in the file of --json; returns all."""
    def merge(old, new):
        if isinstance(new, dict):
            return {key: merge(old[key], new[key]) if key in old and key in new else new.get(key, old.get(key))
                    for key in {**old, **new}}
        return old + new
    if options.json is None:
        return results
    if options.json.exists():
        results = merge(json.loads(options.json.read_text()), results)
    options.json.write_text(json.dumps(results, indent=1))
    return results


def print_machine():
    """Where and when, above the tables."""
    def first(command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.strip()
    model = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), os.uname().machine)
    memory = int(Path("/proc/meminfo").read_text().split()[1]) >> 20
    release = (Path(os.environ["JAVA_HOME"]) / "release").read_text().splitlines()
    java = next(line.partition("=")[2].strip('"') for line in release if line.startswith("JAVA_RUNTIME_VERSION"))
    commit = first(["git", "-C", HERE, "log", "-1", "--format=%h"])
    print(f"{model}, {os.cpu_count()} cores, {memory} GiB; Linux {os.uname().release}; Java {java}; "
          f"{datetime.date.today():%-d %B %Y}; commit {commit}: `{' '.join([Path(sys.argv[0]).name, *sys.argv[1:]])}`\n")
