# faults.sh CASE TARGET: log in to a target that injects faults, run into one of them, log out.
# Prints what the kernel made of it, `name value` a line.
. /guest/guest.sh

# The rules of the target are for these blocks: no one reads them by himself.
medium_error_at=4096
delayed_at=8192
dropped_at=12288
killed_at=16384

# read_block NUMBER: status of dd, its time in seconds
read_block() {
    local began
    began=$(seconds)
    dd if="$DISK" of=/run/block bs=512 count=1 skip="$1" iflag=direct status=none 2>/run/dd.error
    echo "dd_status $?"
    echo "seconds $(echo "$(seconds) $began" | awk '{ printf "%d", $1 - $2 }')"
}

count() { dmesg | grep -cE "$1"; }

srp_login "$2"
device=/sys/block/${DISK#/dev/}/device
echo 2 >"$device/timeout"
echo 1 >"/sys/class/srp_remote_ports/port-${HOST#host}:1/reconnect_delay"
timeouts=$(($(<"$device/iotmo_cnt")))
aborts=$(count "SRP abort called")
medium_errors=$(count "critical medium error")
senses=$(count "Sense Key : Medium Error")
case $1 in
pass_through)
    # Fixed format: the key is in byte 2, code and qualifier are in bytes 12 and 13.
    sg_raw -r 512 "$DISK" a8 00 00 00 00 00 00 00 00 01 00 00 >/run/sg 2>&1
    echo "sg_status $?"
    grep -iE "sense key|additional sense|unrecovered" /run/sg | sed 's/^ */sg: /'
    ;;
medium_error) read_block $medium_error_at ;;
delay) read_block $delayed_at ;;
drop) read_block $dropped_at ;;
kill) read_block $killed_at ;;
*) die "no case $1" ;;
esac
echo "timeouts $(($(<"$device/iotmo_cnt") - timeouts))"
echo "aborts $(($(count "SRP abort called") - aborts))"
echo "medium_errors $(($(count "critical medium error") - medium_errors))"
echo "senses $(($(count "Sense Key : Medium Error") - senses))"
dd if="$DISK" of=/run/block bs=64k count=1 iflag=direct status=none
echo "next_read $?"
echo "state $(cat "/sys/class/srp_remote_ports/port-${HOST#host}:1/state")"
srp_logout "$HOST"
