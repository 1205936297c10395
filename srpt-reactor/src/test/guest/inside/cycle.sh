# cycle.sh TARGET OPTIONS COUNT: log in, write, read back, log out, again and again.
. /guest/guest.sh
head -c 262144 /dev/urandom >/run/written
for n in $(seq "$3"); do
    srp_login "$1" "$2"
    dd if=/run/written of="$DISK" bs=64k seek="$n" oflag=direct status=none || die "write failed in cycle $n"
    dd if="$DISK" of=/run/read bs=64k count=4 skip="$n" iflag=direct status=none || die "read failed in cycle $n"
    cmp /run/written /run/read || die "contents differ in cycle $n"
    srp_logout "$HOST"
done
echo "cycles $n"
