#!/usr/bin/env python3
"""Measures how srpt answers Device Management queries, beside a C program that sends datagrams of the same size back.

Both get the same load, in alternating rounds: mad_load.c, which keeps a number of Get(IOControllerProfile) in flight. A datagram
has 280 bytes each way: transport headers, a management datagram of 256 bytes, invariant CRC. Needs gcc and libc6-dev.
"""
from harness import ADDRESS, LOAD_ADDRESS, Load, Place, Program, Serve, keep, option_parser, paired, parse, print_machine, say
from harness import spread, table

PORT = 4791
SRPT, ECHO = "srpt serve", "C echo"
DEPTHS = [1, 32]
DEPTH_32 = "depth 32"
LIMIT = 1.5


def start(place, name):
    if name == SRPT:
        program = Serve(place, "--lun", "memory:16MiB")
        if place.options.warmup > 0:
            load(place, program, 32, warmup=0, seconds=10)
        return program
    program = Program(place, [place.echo, ADDRESS, PORT])
    program.wait_for(lambda: "ready" in program.text())
    return program


def load(place, program, depth, warmup, seconds):
    load = Load(place, program, [place.load, LOAD_ADDRESS, ADDRESS, depth, warmup, seconds])
    report = load.report
    return {"rate": report["ios"] / report["seconds"], "p50": report["p50"], "p99": report["p99"], "errors": report["errors"],
            "cpu": load.cpu_us / max(1, report["ios"])}


def main():
    options = parse(option_parser(__doc__))
    results = {}
    with Place(options) as place:
        place.load, place.echo = place.build("mad_load"), place.build("udp_echo")
        for number in range(options.rounds):
            for name in (SRPT, ECHO):
                program = start(place, name)
                for depth in DEPTHS:
                    result = load(place, program, depth, min(1, options.warmup), options.seconds)
                    results.setdefault(f"depth {depth}", {}).setdefault(name, []).append(result)
                    say(f"{number + 1}: {name}: depth {depth}: {result['rate']:.0f}/s, {result['cpu']:.1f} us")
                program.stop()
    results = keep(options, results)
    print_machine()
    for depth, both in results.items():
        ratio = {key: paired(*([one[key] for one in both[name]] for name in (SRPT, ECHO))) for key in ("cpu", "rate")}
        table([f"DM Get, {depth}", "MADs a second", "p50 us", "p99 us", "CPU us per MAD", "lost or refused"],
              [(name, *(spread([one[key] for one in both[name]], digits)
                        for key, digits in (("rate", 0), ("p50", 0), ("p99", 0), ("cpu", 2))),
                sum(one["errors"] for one in both[name])) for name in (SRPT, ECHO)]
              + [("srpt to the echo", f"{ratio['rate']:.2f}", "", "", f"{ratio['cpu']:.2f}", "")])
        if depth == DEPTH_32:
            goal = ratio["cpu"]
    table(["what", "to reach", "measured", "reached"],
          [(f"DM Get, {DEPTH_32}: CPU per MAD to the C echo", f"at most {LIMIT}", f"{goal:.2f}",
            "yes" if goal <= LIMIT else "**no**")])


if __name__ == "__main__":
    main()
