# multipath.sh setup NEAR FAR | work SECONDS | finish
# One disk through two target ports, as one dm-multipath map with the kernel's own alua handler (multipathd wants udev). NEAR
# and FAR are target lines. Prints `name value` a line.
. /guest/guest.sh
state() { cat "/sys/block/${1#/dev/}/device/access_state" | tr ' ' '_'; }

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
    echo "near.state $(state "$near")"
    echo "near.preferred $(cat "/sys/block/${near#/dev/}/device/preferred_path")"
    echo "far.state $(state "$far")"
    echo "far.preferred $(cat "/sys/block/${far#/dev/}/device/preferred_path")"
    echo "same_disk $([ "$(cat "/sys/block/${near#/dev/}/device/wwid")" = "$(cat "/sys/block/${far#/dev/}/device/wwid")" ] && echo yes)"
    sg_rtpg --decode "$far" >/run/rtpg || echo "rtpg_failed $?"
    echo "groups $(grep -c 'target port group id' /run/rtpg)"
    sed 's/^/# /' /run/rtpg
    sg_rtpg --extended "$far" >/dev/null || echo "rtpg_extended_failed $?"
    sg_vpd --page=di_port "$far" | sed 's/^/# /'
    # No I/O is to fail because no path is left for a moment; the near path is asked first.
    echo "0 $(cat "/sys/block/${near#/dev/}/size") multipath 1 queue_if_no_path 1 alua 2 1" \
        "service-time 0 1 2 $(cat "/sys/block/${near#/dev/}/dev") 1 1" \
        "service-time 0 1 2 $(cat "/sys/block/${far#/dev/}/dev") 1 1" |
        dmsetup --noudevrules --noudevsync create srp-multipath || die "no multipath map"
}

work() {
    rm -f /run/fio.status
    (
        fio --name=work --filename=/dev/mapper/srp-multipath --rw=randwrite --bs=16k --size=4m --iodepth=8 --direct=1 \
            --ioengine=libaio --verify=crc32c --do_verify=1 --verify_fatal=1 --loops=1000 --runtime="$1" --time_based \
            --verify_backlog=64 --output-format=terse --terse-version=3 >/run/fio.out 2>/run/fio.err
        echo $? >/run/fio.status
    ) </dev/null >/dev/null 2>&1 &
    written() { awk '$3 ~ /^dm-/ && $8 > 100 { found = 1 } END { exit !found }' /proc/diskstats; }
    wait_for 10 written || die "fio writes nothing"
}

finish() {
    . /run/multipath
    wait_for 60 test -s /run/fio.status || die "fio does not end"
    echo "fio_status $(</run/fio.status)"
    [ "$(</run/fio.status)" = 0 ] || cat /run/fio.out /run/fio.err
    dmsetup status srp-multipath | sed 's/^/# /'
    echo "failed_paths $(dmsetup status srp-multipath | grep -o ' F [0-9]' | wc -l)"
    echo "far.state $(state "$far")"
    dmsetup --noudevsync remove srp-multipath || die "the map is in use"
    srp_logout "$near_host"
    srp_logout "$far_host"
    ip route del 198.51.100.0/24
}

"$@"
