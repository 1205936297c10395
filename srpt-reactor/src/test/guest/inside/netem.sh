# netem.sh on|off: loss, duplication and reordering on eth0, on what the guest sends and on what it receives.
. /guest/guest.sh
faults="delay 1ms reorder 99.5% loss 1% duplicate 0.5%"
case $1 in
on)
    modprobe -a sch_netem sch_ingress act_mirred cls_matchall ifb
    ip link del ifb0 2>/dev/null
    ip link del ifb1 2>/dev/null
    ip link add faults type ifb || die "no ifb"
    ip link set faults up mtu 9000
    tc qdisc add dev faults root netem $faults limit 10000 || die "no netem"
    tc qdisc add dev eth0 root netem $faults limit 10000 || die "no netem"
    tc qdisc add dev eth0 ingress || die "no ingress qdisc"
    tc filter add dev eth0 ingress matchall action mirred egress redirect dev faults || die "no redirection"
    ;;
off)
    for interface in eth0 faults; do
        tc -s qdisc show dev $interface root | awk -v i=$interface '/Sent/ { print i ".sent", $4; print i ".dropped", $7 + 0 }'
    done
    tc qdisc del dev eth0 ingress
    tc qdisc del dev eth0 root
    ip link del faults
    ;;
esac
