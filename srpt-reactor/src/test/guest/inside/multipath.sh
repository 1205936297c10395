# multipath.sh setup NEAR FAR | follow | back | work | failover | failback | leave
# One disk through two target ports, as one dm-multipath map with the kernel's own alua handler. multipathd wants udev, so its
# part, telling the map that a path is well again, is played here. NEAR and FAR are target lines. Prints `name value` a line.
. /guest/guest.sh
map=/dev/mapper/srp-multipath
[ ! -e /run/multipath ] || . /run/multipath

of() { cat "/sys/block/${1#/dev/}/device/$2" | tr ' ' '_'; }
is() { [ "$(of "$1" access_state)" = "$2" ]; }
# Reads through a block device would be looked at by the kernel first.
generic() { echo "/dev/$(ls "/sys/block/${1#/dev/}/device/scsi_generic")"; }
sectors() { awk -v disk="${1#/dev/}" '$3 == disk { print $6 + $10 }' /proc/diskstats; }
writes() { awk -v disk="${1#/dev/}" '$3 == disk { print $8 }' /proc/diskstats; }
# states: the states as the target reports them, through both paths, and what the kernel learns
states() {
    local path
    rm -f /run/states
    for path in near far; do
        sg_rtpg --decode "$(generic "${!path}")" >/run/rtpg || echo "$path.rtpg_failed $?"
        sed "s/^/# $path: /" /run/rtpg
        awk -v path="$path" '
            / port group id / { id = $6 }
            / access state / { gsub(/.*\(|\).*/, ""); gsub(/ /, "-"); print path ".reported." id, $0 }' /run/rtpg >>/run/states
    done
    cat /run/states
    wait_for 5 is "$near" "$(sed -n 's/near.reported.0x1 //p' /run/states)"
    wait_for 5 is "$far" "$(sed -n 's/far.reported.0x2 //p' /run/states)"
    for path in near far; do
        echo "$path.state $(of "${!path}" access_state)"
        echo "$path.preferred $(of "${!path}" preferred_path)"
    done
}

setup() {
    modprobe -a dm-multipath dm-service-time scsi_dh_alua
    ip route replace 198.51.100.0/24 via 192.0.2.2
    srp_login "$1"
    near=$DISK near_host=$HOST
    # The initiator port identifier differs: ib_srp would take a second login of the same pair for a mistake.
    srp_login "$2" initiator_ext=0000000000000002
    far=$DISK far_host=$HOST
    for host in $near_host $far_host; do
        port=/sys/class/srp_remote_ports/port-${host#host}:1
        echo 1 >"$port/reconnect_delay"
        echo 1 >"$port/fast_io_fail_tmo"
    done
    cat >/run/multipath <<END
near=$near far=$far near_host=$near_host far_host=$far_host
END
    states
    for path in near far; do
        sg_vpd --page=di "$(generic "${!path}")" >"/run/$path.di"
        sed "s/^/# $path: /" "/run/$path.di"
        echo "$path.disk $(sed '/Target port:/,$d' "/run/$path.di" | sha256sum | cut -c1-16)"
        echo "$path.wwid $(of "${!path}" wwid)"
        echo "$path.port $(sed -n 's/.*Relative target port: //p' "/run/$path.di")"
        echo "$path.group $(sed -n 's/.*Target port group: //p' "/run/$path.di")"
    done
    sg_rtpg --extended "$(generic "$far")" >/dev/null || echo "rtpg_extended_failed $?"
    # No I/O is to fail because no path is left for a moment; the near path is asked first. Without --verifyudev the device's
    # node would be left to udev, which is not there.
    echo "0 $(cat "/sys/block/${near#/dev/}/size") multipath 1 queue_if_no_path 1 alua 2 1" \
        "service-time 0 1 2 $(cat "/sys/block/${near#/dev/}/dev") 1 1" \
        "service-time 0 1 2 $(cat "/sys/block/${far#/dev/}/dev") 1 1" |
        dmsetup create --verifyudev srp-multipath || die "no multipath map"
    [ -b $map ] || die "no $map"
    moved "$near"
}

# moved DISK: writes and reads through the map, and says whether that went through DISK
moved() {
    local before
    before=$(sectors "$1")
    dd if=/dev/urandom of=/run/block bs=64k count=1 status=none
    dd if=/run/block of=$map bs=64k oflag=direct status=none || echo "write_failed $?"
    dd if=$map bs=64k count=1 iflag=direct status=none | cmp - /run/block || echo "read_failed $?"
    echo "moved $(($(sectors "$1") - before))"
}

# answer NAME COMMAND...: exit status of an sg utility, and whether it tells of standby
answer() {
    local output status
    output=$("${@:2}" 2>&1)
    status=$?
    echo "$1.status $status"
    echo "$1.standby $(grep -c 'target port in standby state' <<<"$output")"
    sed 's/^/# /' <<<"$output"
}

# The target has made the near port's group standby.
follow() {
    moved "$far"
    states
    local node
    node=$(generic "$near")
    answer ready sg_turs -v "$node"
    answer read sg_raw --request=512 "$node" 28 00 00 00 00 00 00 00 01 00
    answer write sg_raw --send=512 --infile=/run/block "$node" 2a 00 00 00 00 00 00 00 01 00
    answer inquiry sg_inq "$node"
    answer capacity sg_readcap --16 "$node"
    answer reservations sg_persist --in --read-keys "$node"
}

# ready DISK: as multipathd's checker asks
ready() { sg_turs "$(generic "$1")"; }

# The near path is well again: what multipathd does then.
reinstate() {
    wait_for 15 ready "$near" || die "the near path does not come back"
    dmsetup message srp-multipath 0 reinstate_path "$(cat "/sys/block/${near#/dev/}/dev")"
    dmsetup message srp-multipath 0 switch_group 1
}

# The host itself swaps the states back.
back() {
    sg_stpg --tp=1,2 --state=0,2 "$(generic "$near")" | sed 's/^/# /'
    wait_for 10 ready "$near" || die "near is not ready"
    states
    reinstate
    moved "$near"
}

work() {
    rm -f /run/fio.*
    (
        fio --name=work --filename=$map --rw=randwrite --bs=16k --size=4m --iodepth=8 --direct=1 --ioengine=libaio \
            --verify=crc32c --do_verify=1 --verify_fatal=1 --verify_backlog=64 --time_based --runtime=120 \
            --output-format=terse --terse-version=3 >/run/fio.out 2>/run/fio.err &
        echo $! >/run/fio.pid
        wait $!
        echo $? >/run/fio.status
    ) </dev/null >/dev/null 2>&1 &
    busy "$near"
}

# busy DISK: returns when fio has written to it, from now on
busy() {
    local before
    before=$(writes "$1")
    written() { [ $(($(writes "$1") - before)) -gt 50 ]; }
    wait_for 20 written "$1" || { cat /run/fio.*; die "fio writes nothing to $1"; }
}

# The target has closed the near port.
failover() {
    busy "$far"
    echo "failed_paths $(dmsetup status srp-multipath | grep -o ' F [0-9]' | wc -l)"
    echo "far.state $(of "$far" access_state)"
}

# The target has opened it again.
failback() {
    reinstate
    busy "$near"
    # Where it is told to end, fio ends with 128, and with the first error of its job in the fifth field.
    kill -TERM "$(</run/fio.pid)"
    wait_for 20 test -s /run/fio.status || die "fio does not end"
    echo "fio_status $(</run/fio.status)"
    echo "fio_error $(grep '^3;' /run/fio.out | cut -d';' -f5)"
    sed 's/^/# /' /run/fio.out /run/fio.err
    dmsetup status srp-multipath | sed 's/^/# /'
}

leave() {
    # After a case that failed it is gone already.
    [ -e $map ] || return 0
    dmsetup remove --verifyudev srp-multipath || die "the map is in use"
    srp_logout "$near_host"
    srp_logout "$far_host"
    rm /run/multipath
    ip route del 198.51.100.0/24
}

"$@"
