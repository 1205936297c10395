# fio.sh TARGET SECONDS JOB...: log in and measure fio jobs, each for SECONDS after a second of warm-up; log out.
# A job is NAME:RW:BLOCK:DEPTH, e.g. read:randread:4k:32. Prints `name value` a line, and `measuring NAME` and `measured NAME`
# as files in /share, so that whoever waits outside can read clocks.
. /guest/guest.sh
srp_login "$1"
seconds=$2
shift 2
rm -f /share/measuring-* /share/measured-*

# run SECONDS: the job of name, rw, block and depth
run() {
    fio --name="$name" --filename="$DISK" --rw="$rw" --bs="$block" --iodepth="$depth" --direct=1 --ioengine=libaio \
        --time_based --runtime="$1" --randrepeat=0 --output-format=terse --terse-version=3
}

for job; do
    IFS=: read -r name rw block depth <<<"$job"
    run 1 >/dev/null || die "fio $job failed"
    : >"/share/measuring-$name"
    run "$seconds" >/run/fio.out || die "fio $job failed"
    : >"/share/measured-$name"
    # Fields of the terse format: one direction is idle.
    awk -F';' -v job="$name" '
        function percentile(first, wanted, i, part) {
            for (i = first; i < first + 20; i++) if (split($i, part, "%=") == 2 && part[1] == wanted) return part[2]
        }
        { first = $8 > 0 ? 18 : 59
          print job ".ios", ($6 + $47) * 1024 / bytes
          print job ".iops", $8 + $49; print job ".kib_per_second", $7 + $48
          print job ".p50_us", percentile(first, "50.000000"); print job ".p99_us", percentile(first, "99.000000") }' \
        bytes="$(numfmt --from=iec "${block^^}")" /run/fio.out
done
srp_logout "$HOST"
