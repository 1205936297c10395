# reservations.sh TARGET first|again: two initiators of this guest and their persistent reservations. `first` leaves a
# reservation of the second one that shall survive a restart of the target, `again` looks for it and takes it away. Prints
# `name value` a line.
. /guest/guest.sh
srp_login "$1" "initiator_ext=00000000000000a1"
host_a=$HOST disk_a=$DISK
srp_login "$1" "initiator_ext=00000000000000b2"
host_b=$HOST disk_b=$DISK
for disk in $disk_a $disk_b; do
    sg_turs --number=5 "$disk" >/dev/null 2>&1
done

# status NAME COMMAND…: what it returns
status() {
    local name=$1
    shift
    "$@" >/run/status.out 2>&1
    echo "$name $?"
}
out() { sg_persist --out --no-inquiry "$@"; }
write_block() { sg_raw --send=512 --infile=/dev/zero "$1" 2a 00 00 00 00 00 00 00 01 00; }
holder() { sg_persist --in --no-inquiry --read-reservation "$1" | sed -n 's/^ *Key=\(0x[0-9a-f]*\)/\1/p'; }
keys() { sg_persist --in --no-inquiry --read-keys "$1" | grep -c '^ *0x'; }

if [ "$2" = first ]; then
    status register_a out --register-ignore --param-sark=0xa1 --param-aptpl "$disk_a"
    status register_b out --register-ignore --param-sark=0xb2 --param-aptpl "$disk_b"
    echo "keys $(keys "$disk_a")"
    status reserve_a out --reserve --param-rk=0xa1 --prout-type=1 "$disk_a"
    echo "holder $(holder "$disk_b")"
    status write_a write_block "$disk_a"
    status write_b write_block "$disk_b"
    status dd_b dd if=/dev/zero of="$disk_b" bs=4k count=1 oflag=direct
    status read_b sg_raw --request=512 "$disk_b" 28 00 00 00 00 00 00 00 01 00
    status preempt_b out --preempt --param-rk=0xb2 --param-sark=0xa1 --prout-type=1 "$disk_b"
    status attention_a sg_raw "$disk_a" 00 00 00 00 00 00
    echo "preempted $(grep -c -i 'registrations preempted' /run/status.out)"
    status preempted_write_a write_block "$disk_a"
    status holder_write_b write_block "$disk_b"
else
    echo "kept_holder $(holder "$disk_a")"
    status kept_write_a write_block "$disk_a"
    status kept_write_b write_block "$disk_b"
    status clear_b out --clear --param-rk=0xb2 "$disk_b"
    echo "cleared_keys $(keys "$disk_a")"
    status cleared_write_a write_block "$disk_a"
fi
srp_logout "$host_a"
srp_logout "$host_b"
