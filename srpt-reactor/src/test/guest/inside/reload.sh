# reload.sh start TARGET: log in; fio writes and verifies the first MiB of LUN 0 again and again, until `stop`.
# reload.sh attention LUN luns_changed|capacity_changed: until the kernel has told this of LUN since `start`, or the last time it was asked for.
# reload.sh scan|rescan|delete LUN: looks for a LUN that is new; asks for the size of one; forgets one.
# reload.sh second TARGET: one more session, which reads LUN 0. `second-gone`: until it has ended and its disk with it.
# reload.sh stop: what became of fio and of the session. All print `name value` a line.
. /guest/guest.sh
state=/run/reload
[ "$1" = start ] || . $state
luns_changed="LUN assignments on this target have changed" capacity_changed="Capacity data has changed"
broken=" HOST: .*(failed (send|receive|RECV|SEND|local|fast)|ib_srp: (reconnect|connection|SRP abort|SRP reset)|SRP (abort|reset))"

# address LUN: H:C:I:L of a LUN of the first session
address() { ls -d /sys/class/scsi_host/"$HOST"/device/target*/*:"$1" 2>/dev/null | sed 's|.*/||' | head -n 1; }
disk() { ls /sys/class/scsi_host/"$HOST"/device/target*/*:"$1"/block; }
has_disk() { test -b "/dev/$(disk "$1")"; }
# told LUN TEXT: how often. seen LUN TEXT: how often it was when it was noted; host numbers come again in later cases.
told() { dmesg | grep -c "sd $(address "$1"): .*$2"; }
seen() { grep "^$1 $2" /run/reload.seen 2>/dev/null | tail -n 1 | grep -o '[0-9]*$' || echo 0; }
told_again() { [ "$(told "$1" "$2")" -gt "$(seen "$1" "$2")" ]; }
io_errors() { dmesg | grep -c "I/O error, dev ${DISK#/dev/}"; }

case $1 in
start)
    srp_login "$2"
    device=/sys/block/${DISK#/dev/}/device
    {
        echo "HOST=$HOST DISK=$DISK device=$device"
        echo "timeouts=$(($(<"$device/iotmo_cnt"))) earlier=$(dmesg | grep -cE "${broken/HOST/$HOST}")"
        echo "earlier_errors=$(io_errors)"
    } >$state
    rm -f /run/reload.stop /run/reload.runs /run/reload.status
    for text in "$luns_changed" "$capacity_changed"; do echo "0 $text $(told 0 "$text")"; done >/run/reload.seen
    (
        cd /run
        status=0
        while [ ! -e /run/reload.stop ] && [ $status = 0 ]; do
            fio --name=work --filename="$DISK" --rw=randwrite --bs=16k --size=1m --iodepth=8 --direct=1 --ioengine=libaio \
                --verify=crc32c --do_verify=1 --verify_fatal=1 --verify_backlog=16 \
                --output-format=terse --terse-version=3 >/run/reload.fio 2>&1 || status=$?
            echo run >>/run/reload.runs
        done
        echo $status >/run/reload.status
    ) </dev/null >/dev/null 2>&1 &
    wait_for 10 pgrep -x fio || die "fio does not start"
    ;;
attention)
    wait_for 15 told_again "$2" "${!3}" || die "LUN $2 says nothing of: ${!3}"
    echo "$2 ${!3} $(told "$2" "${!3}")" >>/run/reload.seen
    ;;
scan)
    echo "- - $2" >/sys/class/scsi_host/"$HOST"/scan
    wait_for 10 has_disk "$2" || die "no LUN $2"
    echo "bytes $(blockdev --getsize64 "/dev/$(disk "$2")")"
    dd if="/dev/$(disk "$2")" of=/dev/null bs=64k count=16 iflag=direct status=none
    echo "dd_status $?"
    ;;
rescan)
    echo 1 >/sys/class/scsi_device/"$(address "$2")"/device/rescan
    bytes=$(blockdev --getsize64 "/dev/$(disk "$2")")
    echo "bytes $bytes"
    head -c 65536 /dev/urandom >/run/reload.end
    dd if=/run/reload.end of="/dev/$(disk "$2")" bs=64k seek=$((bytes / 65536 - 1)) oflag=direct status=none &&
        dd if="/dev/$(disk "$2")" bs=64k skip=$((bytes / 65536 - 1)) iflag=direct status=none | cmp - /run/reload.end
    echo "end_status $?"
    ;;
delete)
    dd if="/dev/$(disk "$2")" of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null
    echo "dd_status $?"
    echo "listed $(sg_luns --quiet "$DISK" | grep -c "^ *00$(printf %02x "$2")000000000000")"
    echo 1 >/sys/class/scsi_device/"$(address "$2")"/device/delete
    ;;
second)
    srp_login "$2" initiator_ext=0000000000000002
    echo "second=$HOST second_disk=$DISK" >>$state
    dd if="$DISK" of=/dev/null bs=64k count=16 iflag=direct status=none
    echo "dd_status $?"
    port=/sys/class/srp_remote_ports/port-${HOST#host}:1
    echo 1 >"$port/reconnect_delay"
    echo 1 >"$port/fast_io_fail_tmo"
    echo 3 >"$port/dev_loss_tmo"
    ;;
second-gone)
    wait_for 30 test ! -e "/sys/class/scsi_host/$second" || die "$second does not go away"
    ;;
stop)
    touch /run/reload.stop
    wait_for 60 test -s /run/reload.status || die "fio does not end"
    echo "fio_status $(</run/reload.status)"
    [ "$(</run/reload.status)" = 0 ] || cat /run/reload.fio
    echo "fio_runs $(grep -c . /run/reload.runs)"
    echo "timeouts $(($(<"$device/iotmo_cnt") - timeouts))"
    echo "reconnects $(($(dmesg | grep -cE "${broken/HOST/$HOST}") - earlier))"
    echo "io_errors $(($(io_errors) - earlier_errors))"
    echo "state $(cat "/sys/class/srp_remote_ports/port-${HOST#host}:1/state")"
    srp_logout "$HOST"
    ;;
esac
