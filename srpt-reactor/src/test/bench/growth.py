#!/usr/bin/env python3
"""Measures what srpt costs more when it has more to do with: channels, idle and busy, and LUNs. All in one process of `serve`.

In each round it measures random reads of 4 KiB, depth 32: on one channel; with 10, 100 and 1,000 channels that share the
commands; on one channel beside 9, 99 and 999 idle ones of another initiator; and on the last of 1,000 LUNs. A ratio is the
median over the rounds of that to the one channel of the same round. What an idle channel takes is the growth of the resident
set between two full collections, before and after their login, the first time: later ones find memory that earlier ones left.
"""
import os
import re
import signal
import statistics
import subprocess
import sys
from pathlib import Path

from harness import ADDRESS, READS, Place, Serve, bench, keep, option_parser, paired, parse, print_machine, say, spread, table

ONE = "one channel"
LIMIT, LIMIT_KIB = 1.05, 64
LUNS = 1000


class Idle:
    """Channels of an initiator that does nothing with them for a while; at the end of a `with` block they have logged out."""

    def __init__(self, place, count):
        # Long enough for a measurement beside them, the start of its process included.
        seconds = place.options.warmup + place.options.seconds + 6
        self.process = subprocess.Popen(
            ["taskset", "-c", str(place.load_core),
             *map(str, place.java("bench", ADDRESS, "--channels", count, "--busy", 0, "--seconds", seconds))],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        line = next((line for line in self.process.stderr if line.startswith("logged in")), None)
        if line is None:
            sys.exit("the idle channels did not log in")
        self.logins = float(line.rpartition(",")[2].split()[0])

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure is None and self.process.poll() is not None:
            sys.exit("the idle channels were gone before the measurement ended")
        self.process.communicate()


def live_kib(serve):
    """The resident set without garbage."""
    jcmd = Path(os.environ["JAVA_HOME"]) / "bin/jcmd"
    subprocess.run([jcmd, str(serve.process.pid), "GC.run"], check=True, stdout=subprocess.DEVNULL)
    return serve.resident_kib()


class Disks:
    """The configuration of `serve`: LUN 0 and the last one have 64 MiB, those between 1 MiB."""

    def __init__(self, place):
        self.file = place.folder / "srpt.yaml"
        self.write(1)

    def write(self, count):
        self.count = count
        self.file.write_text("acls: any\nlun:\n- memory:64MiB\n" + "".join(
            f"- {{lun: {number}, store: memory:{64 if number == count - 1 else 1}MiB}}\n" for number in range(1, count)))

    def change(self, serve, count):
        def told():
            return len(re.findall(r"lun \d+: (?:added|taken away)", serve.text()))
        wanted = told() + abs(count - self.count)
        self.write(count)
        serve.process.send_signal(signal.SIGHUP)
        serve.wait_for(lambda: told() >= wanted)


def measure_round(place, serve, disks, counts, results, is_first):
    def run(name, *options):
        result = bench(place, serve, *READS, *options)
        results.setdefault(name, []).append(result)
        say(f"{name}: {result['rate']:.0f} IOPS, {result['cpu']:.2f} us")
        return result
    run(ONE)
    for count in counts:
        before = live_kib(serve) if is_first else 0
        with Idle(place, count - 1) as idle:
            grown = (live_kib(serve) - before) / (count - 1) if is_first else None
            run(f"{count:,} channels, one busy").update(logins=idle.logins, **({"kib": grown} if is_first else {}))
        say(f"{grown if grown is None else round(grown)} KiB each, {idle.logins:.0f} logins a second")
    for count in counts:
        run(f"{count:,} channels, all busy", "--channels", count)
    disks.change(serve, LUNS)
    run(f"{LUNS:,} LUNs, the last one busy", "--lun", LUNS - 1)
    disks.change(serve, 1)


def main():
    parser = option_parser(__doc__)
    parser.add_argument("--channels", default="10,100,1000", help="numbers of channels with commas between (10,100,1000)")
    options = parse(parser)
    counts = [int(count) for count in options.channels.split(",")]
    results = {}
    with Place(options) as place:
        disks = Disks(place)
        serve = Serve(place, "--config", disks.file, loads=(READS, READS))
        for number in range(options.rounds):
            measure_round(place, serve, disks, counts, results, number == 0)
    results = keep(options, results)
    print_machine()
    rows = []
    for name, rounds in results.items():
        cpu = [one["cpu"] for one in rounds]
        ratio = paired(cpu, [one["cpu"] for one in results[ONE]])
        kib, logins = ([one[key] for one in rounds if key in one] for key in ("kib", "logins"))
        rows.append((name, spread(cpu, 2), f"{ratio:.3f}", "" if name == ONE else "yes" if ratio <= LIMIT else "**no**",
                     *(spread(values, 0) if values else "" for values in (kib, logins)),
                     "" if not kib else "yes" if statistics.median(kib) <= LIMIT_KIB else "**no**"))
    table([f"4k random read, depth 32; {len(results[ONE])} rounds", "target CPU us per I/O", f"to {ONE}", f"at most {LIMIT}",
           "KiB resident per idle channel", "logins a second", f"at most {LIMIT_KIB} KiB"], rows)


if __name__ == "__main__":
    main()
