# Sourced before every command that runs in a guest.

srp_class=/sys/class/infiniband_srp/srp-rxe0-1

die() {
    echo "$*" >&2
    dmesg | tail -n 20 >&2
    exit 1
}

# wait_for SECONDS COMMAND...: until the command succeeds
wait_for() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.1
    done
}

seconds() { cut -d' ' -f1 /proc/uptime; }

# rdma_up MTU: software RoCE on eth0, from new, so that its path MTU follows the interface's.
rdma_up() {
    local gids=/sys/class/infiniband/rxe0/ports/1/gids
    modprobe -a rdma_rxe ib_umad || die "no rdma_rxe"
    [ ! -e /sys/class/infiniband/rxe0 ] || rdma link delete rxe0 || die "rxe0 is in use"
    ip link set eth0 mtu "${1:-1500}" || die "MTU $1 refused"
    # New routes: an MTU that was learned at the old size must go.
    ip route flush cache
    ip -6 route flush cache
    rdma link add rxe0 type rxe netdev eth0 || die "no rxe0"
    wait_for 5 grep -q ffff: "$gids"/{0,1,2,3} || die "rxe0 has no IPv4 address"
    wait_for 5 grep -q ^fd5a: "$gids"/{0,1,2,3} || die "rxe0 has no IPv6 address"
}

# srp_load [MODULE OPTION...]: ib_srp with exactly these options
srp_load() {
    local wanted="loaded $*"
    [ "$(cat /run/ib_srp.options 2>/dev/null)" != "$wanted" ] || return 0
    modprobe -a sg sd_mod
    [ ! -e /sys/module/ib_srp ] || rmmod ib_srp || die "ib_srp is in use"
    modprobe ib_srp "$@" || die "ib_srp does not take $*"
    echo "$wanted" >/run/ib_srp.options
}

# srp_login TARGET [OPTIONS]: the line that the target printed, further add_target options.
# Sets HOST (hostN) and DISK (/dev/sdX).
srp_login() {
    [ -e /sys/module/ib_srp ] || srp_load
    wait_for 5 test -e $srp_class/add_target || die "ib_srp does not see rxe0"
    # The host of an earlier session is gone a little before ib_srp has forgotten that session.
    local deadline=$((SECONDS + 5))
    until echo "$1${2:+,$2}" 2>/run/login.error >$srp_class/add_target; do
        grep -q 'File exists' /run/login.error && [ $SECONDS -lt $deadline ] || die "login refused: $1${2:+,$2}"
        sleep 0.1
    done
    HOST=$(ls -v /sys/class/srp_host | tail -n 1)
    wait_for 10 disk_of "$HOST" || die "$HOST has no disk"
    DISK=/dev/$(disk_of "$HOST")
    wait_for 5 test -b "$DISK" || die "no $DISK"
    echo none >"/sys/block/${DISK#/dev/}/queue/scheduler"
}

# disk_of HOST: its first disk
disk_of() {
    local disk
    for disk in "/sys/class/scsi_host/$1"/device/target*/*/block/*; do
        [ -e "$disk" ] && echo "${disk##*/}"
        return
    done
}

# srp_logout HOST: returns when the host is gone
srp_logout() {
    echo 1 >"/sys/class/srp_remote_ports/port-${1#host}:1/delete" || die "no remote port of $1"
    wait_for 20 test ! -e "/sys/class/scsi_host/$1" || die "$1 does not go away"
}

# srp_logout_all: after a case that failed half-way
srp_logout_all() {
    local host
    mountpoint -q /mnt && umount -l /mnt
    [ ! -e /sys/module/dm_mod ] || dmsetup remove_all --force --verifyudev
    for host in /sys/class/srp_host/host*; do
        [ ! -e "$host" ] || srp_logout "${host##*/}"
    done
}

# host_value NAME: an attribute of the SCSI host of ib_srp
host_value() { cat "/sys/class/scsi_host/$HOST/$1"; }
