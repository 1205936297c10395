# access.sh TARGET: fio writes and verifies while the host side takes this initiator's access away and gives it back, and
# once more for good. /share/access-withdraw, -restored and -gone say how far it is. Prints `name value` a line.
. /guest/guest.sh
rm -f /share/access-*
srp_login "$1" ""
port=/sys/class/srp_remote_ports/port-${HOST#host}:1
device=/sys/block/${DISK#/dev/}/device
echo off >"$port/fast_io_fail_tmo"
echo 1 >"$port/reconnect_delay"
reconnects() { dmesg | grep -c "reconnect attempt.* failed"; }
failed=$(reconnects)
fio --name=work --filename="$DISK" --rw=randwrite --bs=16k --size=4m --iodepth=8 --direct=1 --ioengine=libaio \
    --verify=crc32c --do_verify=1 --verify_fatal=1 --loops=100000 --verify_backlog=64 \
    --output-format=terse --terse-version=3 >/run/fio.out 2>/run/fio.err &
fio=$!
sleep 2
touch /share/access-withdraw
wait_for 60 test -e /share/access-restored || die "access does not come back"
# As soon as the session stands again, commands end.
before=$(($(<"$device/iodone_cnt")))
started=$(seconds)
advanced() { [ $(($(<"$device/iodone_cnt"))) -gt $((before + 20)) ]; }
wait_for 30 advanced || die "I/O does not go on"
echo "back_after_seconds $(awk -v a="$started" -v b="$(seconds)" 'BEGIN { printf "%d", b - a + 1 }')"
echo "failed_attempts $(($(reconnects) - failed))"
kill -0 $fio && echo "fio_runs 1"
# And for good: the host goes after dev_loss_tmo.
echo 1 >"$port/fast_io_fail_tmo"
echo 3 >"$port/dev_loss_tmo"
touch /share/access-gone
wait_for 30 test ! -e "/sys/class/scsi_host/$HOST" || die "$HOST does not go away"
wait $fio
echo "fio_status $?"
