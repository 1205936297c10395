#!/usr/bin/env python3
"""Measures the kernel's initiator, fio on ib_srp in a guest, against srpt on this machine and against the kernel's own target.

There is one wire and one initiator, and the targets take turns. The kernel's target (ib_srpt with a memory disk) is in a second
guest, and without KVM both guests are emulated: its column says what an emulated target costs, and how much of srpt's latency
is the emulated initiator's. CPU is that of `srpt serve`, and of the whole second QEMU. Needs root; see srpt-reactor/src/test/guest.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

from harness import HERE, Place, Program, keep, option_parser, parse, print_machine, say, spread, table

JOBS = ("read-1:randread:4k:1", "read-16:randread:4k:16", "read-32:randread:4k:32", "write-32:randwrite:4k:32",
        "large-read:read:128k:8", "large-write:write:128k:8")
INITIATOR, TARGET = 21, 20
SRPT, KERNEL = "srpt, on the machine", "ib_srpt, emulated"


class Guests:
    """The wire and the machines on it, for the length of a `with` block."""

    def __init__(self, place):
        self.place = place
        self.net = f"srpt-bench-{os.getpid()}"
        self.environment = {**os.environ, "SRPT_GUEST_NET": self.net, "SRPT_GUEST_OWNER": str(os.getpid())}

    def __enter__(self):
        self.up("initiator", INITIATOR, self.place.load_core)
        self.up("target", TARGET, self.place.target_core)
        self.run("initiator", "rdma_up 9000; srp_load", 60)
        return self

    def __exit__(self, *_):
        self.tool("down")

    def tool(self, *arguments, prefix=()):
        done = subprocess.run([*prefix, HERE.parent / "guest/guest", *map(str, arguments)], env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"guest {' '.join(map(str, arguments))}: exit status {done.returncode}\n{done.stdout}")
        return done.stdout

    def up(self, name, number, core):
        self.tool("up", "--name", name, "--host-number", number, "--mtu", 9000, prefix=("taskset", "-c", str(core)))

    def run(self, name, command, seconds):
        return self.tool("exec", "--name", name, "--timeout", seconds, command)

    def share(self, name):
        return Path(self.tool("share", "--name", name).strip())


class Emulated:
    """The kernel's target."""

    def __init__(self, guests):
        self.lines = guests.run("target", "bash /guest/kernel-target.sh 64", 60).splitlines()
        pid = int((guests.share("target").parent / "pid").read_text().split()[0])
        self.clock = (~pid << 3) | 2

    def cpu_us(self):
        return time.clock_gettime_ns(self.clock) / 1000


class OnTheMachine(Program):
    """`srpt serve` on the host's side of the wire."""

    def __init__(self, place, guests):
        super().__init__(place, ["ip", "netns", "exec", guests.net, *place.java(
            "serve", "--listen", "192.0.2.1", "--lun", "memory:64MiB", "--http", "none", "--state-dir", place.folder / "state")])
        self.wait_for(lambda: "dest=" in self.text())
        self.lines = self.text().splitlines()


def measure(options, jobs, guests, target):
    """The figures of each job, and the CPU time of the target meanwhile."""
    line = next(line for line in target.lines if line.startswith("id_ext=") and "dest=192." in line)
    share = guests.share("initiator")
    for mark in share.glob("meas*-*"):
        mark.unlink()
    command = [HERE.parent / "guest/guest", "exec", "--name", "initiator", "--timeout",
               str(len(jobs) * (options.seconds + 10) + 60), f"bash /guest/fio.sh {line} {options.seconds} {' '.join(jobs)}"]
    process = subprocess.Popen(command, env=guests.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    clocks = {}
    while process.poll() is None:
        for mark in share.glob("meas*-*"):
            if mark.name not in clocks:
                clocks[mark.name] = target.cpu_us()
        time.sleep(0.005)
    said = process.stdout.read()
    if process.returncode != 0:
        sys.exit(f"fio.sh failed:\n{said}")
    figures = dict(line.split(" ", 1) for line in said.splitlines() if "." in line.split(" ")[0])
    results = {}
    for job in jobs:
        name = job.partition(":")[0]
        ios = float(figures[f"{name}.ios"])
        cpu = clocks[f"measured-{name}"] - clocks[f"measuring-{name}"]
        results[name] = {"iops": [float(figures[f"{name}.iops"])], "p50": [float(figures[f"{name}.p50_us"])],
                         "p99": [float(figures[f"{name}.p99_us"])], "cpu": [cpu / max(1, ios)]}
    return results


def main():
    parser = option_parser(__doc__)
    parser.add_argument("--jobs", default="", help="names of jobs with commas between; without, all: "
                        + ", ".join(job.partition(":")[0] for job in JOBS))
    options = parse(parser)
    wanted = [name for name in options.jobs.split(",") if name]
    jobs = [job for job in JOBS if not wanted or job.partition(":")[0] in wanted]
    if not jobs:
        sys.exit(f"there is no job {options.jobs}")
    if os.geteuid() != 0:
        sys.exit("network namespaces and guests need root")
    results = {SRPT: {}, KERNEL: {}}
    with Place(options) as place, Guests(place) as guests:
        targets = {SRPT: OnTheMachine(place, guests), KERNEL: Emulated(guests)}
        for number in range(options.rounds):
            for name, target in targets.items():
                for job, figures in measure(options, jobs, guests, target).items():
                    for figure, values in figures.items():
                        results[name].setdefault(job, {}).setdefault(figure, []).extend(values)
                last = jobs[-1].partition(":")[0]
                say(f"{number + 1}: {name}: {last}: {results[name][last]['iops'][-1]:,.0f} IOPS")
    results = keep(options, results)
    print_machine()
    rows = []
    for job in jobs:
        name, _, shape = job.partition(":")
        for target, figures in results.items():
            rows.append((shape.replace(":", " "), target, spread(figures[name]["iops"], 0), spread(figures[name]["p50"], 0),
                         spread(figures[name]["p99"], 0), spread(figures[name]["cpu"], 1)))
    table(("fio", "target", "IOPS", "p50 us", "p99 us", "target CPU us per I/O"), rows)


if __name__ == "__main__":
    main()
