# verify.sh TARGET OPTIONS JOB...: log in, run fio jobs that verify what they wrote, log out.
# A job is NAME:RW:BLOCK:SIZE:DEPTH, e.g. random:randwrite:4k:4m:16. Prints `name value` a line.
. /guest/guest.sh
srp_login "$1" "${2:-}"
channels=$(host_value ch_count)
device=/sys/block/${DISK#/dev/}/device
# With max_sect=N in OPTIONS: requests as large as that, the target and the kernel allow.
queue=/sys/block/${DISK#/dev/}/queue
case ${2:-} in *max_sect=*) cat "$queue/max_hw_sectors_kb" >"$queue/max_sectors_kb" ;; esac
# The first commands after a login get unit attentions and the like.
errors=$(($(<"$device/ioerr_cnt")))
timeouts=$(($(<"$device/iotmo_cnt")))
broken="failed (send|receive|RECV|SEND|local|fast)|ib_srp: (reconnect|connection|SRP abort|SRP reset)|SRP (abort|reset)"
earlier=$(dmesg | grep -cE "$broken")
shift 2
cd /run
for job; do
    IFS=: read -r job_name rw block size depth <<<"$job"
    fio --name="$job_name" --filename="$DISK" --rw="$rw" --bs="$block" --size="$size" --iodepth="$depth" \
        --rwmixread=70 --direct=1 --ioengine=libaio --verify=crc32c --do_verify=1 --verify_fatal=1 --randrepeat=1 \
        --output-format=terse --terse-version=3 >/run/fio.out 2>/run/fio.err || {
        cat /run/fio.out /run/fio.err
        die "fio $job failed"
    }
    cat /run/fio.err
    awk -F';' -v job="$job_name" '
        { print job ".errors", $5; print job ".read_kib", $6; print job ".written_kib", $47
          print job ".milliseconds", $9 + $50 }' /run/fio.out
done
echo "io_errors $(($(<"$device/ioerr_cnt") - errors))"
echo "timeouts $(($(<"$device/iotmo_cnt") - timeouts))"
echo "channels_kept $(($(host_value ch_count) == channels))"
echo "reconnects $(($(dmesg | grep -cE "$broken") - earlier))"
echo "request_kib $(<"$queue/max_sectors_kb")"
echo "state $(cat "/sys/class/srp_remote_ports/port-${HOST#host}:1/state")"
srp_logout "$HOST"
