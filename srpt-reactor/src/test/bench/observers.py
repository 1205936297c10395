#!/usr/bin/env python3
"""Measures what it costs srpt to be watched: random reads of 4 KiB, depth 32, with and without observers, in pairs.

The observers are three readers of `/events` (logins, channel states, task management, transport, management datagrams, as
served without further wishes) and a scrape of `/metrics` each second, all over HTTP. With --commands the three readers ask
for the commands, too: each of them then gets an event for every single read, as fast as it can take them.
"""
import subprocess
import threading
import urllib.request

from harness import READS, Place, Serve, bench, free_port, keep, option_parser, paired, parse, print_machine, say, spread, table

READERS = 3
ALONE, WATCHED = "nobody watches", f"{READERS} readers of events, a scrape each second"
LIMIT = 1.05


class Observers:
    """What watches for the length of a `with` block, on the core of the load."""

    def __init__(self, place, url, query, pause=1):
        self.url, self.pause = url, pause
        self.over = threading.Event()
        self.scrapes = 0
        self.readers = [subprocess.Popen(["taskset", "-c", str(place.load_core), "curl", "-sN", f"{url}/events{query}"],
                                         stdout=subprocess.DEVNULL) for _ in range(READERS)]
        self.scraper = threading.Thread(target=self.scrape)

    def scrape(self):
        while not self.over.wait(self.pause):
            with urllib.request.urlopen(f"{self.url}/metrics", timeout=10) as answer:
                answer.read()
            self.scrapes += 1

    def __enter__(self):
        self.scraper.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.scraper.join()
        for reader in self.readers:
            alive = reader.poll() is None
            reader.kill()
            reader.wait()
            if not alive:
                raise SystemExit("a reader of events ended early")


def main():
    parser = option_parser(__doc__)
    parser.set_defaults(rounds=8)
    parser.add_argument("--commands", action="store_true", help="the readers ask for an event for each command, too")
    options = parse(parser)
    results = {ALONE: [], WATCHED: []}
    with Place(options) as place:
        web = f"127.0.0.1:{free_port()}"
        serve = Serve(place, "--lun", "memory:64MiB", "--http", web, loads=(READS, READS))
        query = "?kinds=command,channel,login" if options.commands else ""
        if options.warmup > 0:
            # What is to watch has done so for a while, too.
            with Observers(place, f"http://{web}", query, pause=0.02):
                bench(place, serve, *READS, seconds=5)
        for number in range(options.rounds):
            results[ALONE].append(bench(place, serve, *READS))
            with Observers(place, f"http://{web}", query) as observers:
                results[WATCHED].append(bench(place, serve, *READS))
            say(f"{number + 1}: {results[ALONE][-1]['cpu']:.2f} us, watched {results[WATCHED][-1]['cpu']:.2f} us, "
                f"{observers.scrapes} scrapes")
    results = keep(options, results)
    print_machine()
    cpu = {name: [one["cpu"] for one in rounds] for name, rounds in results.items()}
    ratio = paired(cpu[WATCHED], cpu[ALONE])
    table([f"4k random read, depth 32; {len(cpu[ALONE])} pairs", "target CPU us per I/O", "to nobody", f"at most {LIMIT}"],
          [(ALONE, spread(cpu[ALONE], 2), "", ""),
           (WATCHED, spread(cpu[WATCHED], 2), f"{ratio:.3f}", "yes" if ratio <= LIMIT else "**no**")])


if __name__ == "__main__":
    main()
