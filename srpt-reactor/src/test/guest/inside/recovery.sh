# recovery.sh CASE TARGET SECONDS: what the kernel's error handling does while fio writes and verifies.
# Cases: resets (sg_reset in a loop), aborts (commands that come late), ladder (a session that is stalled for good),
# restart (the target goes and comes back), address (only its address does), cut (the cable is pulled for 5 seconds). Prints `name value` a line.
. /guest/guest.sh
count() { dmesg | grep -cE "$1"; }

srp_login "$2" "${4:-}"
device=/sys/block/${DISK#/dev/}/device
port=/sys/class/srp_remote_ports/port-${HOST#host}:1
timeouts=$(($(<"$device/iotmo_cnt")))
io_errors=$(($(<"$device/ioerr_cnt")))
aborts=$(count "SRP abort called")
lun_resets=$(count "SRP reset_device called")
host_resets=$(count "SRP reset_host called")
echo 2 >"$port/reconnect_delay"
case $1 in
aborts) echo 2 >"$device/timeout" ;;
ladder) echo 5 >"$device/timeout"; echo 5 >"$device/eh_timeout" ;;
restart | address) echo off >"$port/fast_io_fail_tmo" ;;
cut) echo 2 >"$device/timeout"; echo off >"$port/fast_io_fail_tmo" ;;
esac

# cable pulled|plugged: neither what the guest sends nor what it is sent arrives.
cable() {
    case $1 in
    pulled)
        modprobe -a sch_netem sch_ingress act_gact cls_matchall
        tc qdisc add dev eth0 root netem loss 100% && tc qdisc add dev eth0 ingress \
            && tc filter add dev eth0 ingress matchall action drop || die "the cable stays in"
        ;;
    plugged) tc qdisc del dev eth0 ingress; tc qdisc del dev eth0 root ;;
    esac
}

# Writes a region and reads it back, again and again, until the time is over.
work() {
    fio --name=work --filename="$DISK" --rw=randwrite --bs=16k --size=4m --iodepth=8 --direct=1 --ioengine=libaio \
        --verify=crc32c --do_verify=1 --verify_fatal=1 --time_based=0 --loops=1000 --runtime="$1" --time_based \
        --verify_backlog=64 --output-format=terse --terse-version=3 >/run/fio.out 2>/run/fio.err
    echo $? >/run/fio.status
}
rm -f /run/fio.status
work "$3" &
case $1 in
resets)
    resets=0 failed=0
    while [ ! -e /run/fio.status ]; do
        sg_reset -d "$DISK" >/run/sg_reset 2>&1 && resets=$((resets + 1)) || failed=$((failed + 1))
        sleep 0.3
    done
    echo "resets $resets"
    echo "resets_failed $failed"
    ;;
cut)
    sleep 2
    cable pulled
    sleep 5
    cable plugged
    ;;
restart | address)
    sleep 2
    touch "/share/$1-now"
    ;;
esac
wait
echo "fio_status $(</run/fio.status)"
[ "$(</run/fio.status)" = 0 ] || cat /run/fio.out /run/fio.err
echo "timeouts $(($(<"$device/iotmo_cnt") - timeouts))"
echo "aborts $(($(count "SRP abort called") - aborts))"
echo "lun_resets $(($(count "SRP reset_device called") - lun_resets))"
echo "host_resets $(($(count "SRP reset_host called") - host_resets))"
dd if="$DISK" of=/run/block bs=64k count=1 iflag=direct status=none
echo "next_read $?"
echo "state $(cat "$port/state")"
srp_logout "$HOST"
