# sg-utilities.sh TARGET: sg3_utils on the target's three disks (thin file, 4096-byte blocks, read-only), each output behind
# a line "=== NAME STATUS", where STATUS is the utility's own.
. /guest/guest.sh
srp_login "$1"
node() { ls "/sys/class/scsi_host/$HOST"/device/target*/*:"$1"/scsi_generic; }
wait_for 10 node 2 || die "no LUN 2"
thin=/dev/$(node 0)
large=/dev/$(node 1)
read_only=/dev/$(node 2)

say() { # NAME COMMAND...
    local name=$1 output status
    shift
    output=$("$@" 2>&1)
    status=$?
    printf '=== %s %d\n%s\n' "$name" "$status" "$output"
}

for disk in thin large read_only; do
    device=${!disk}
    say "$disk.vpd" sg_vpd -a "$device"
    say "$disk.modes" sg_modes -a "$device"
    say "$disk.capacity" sg_readcap -l "$device"
done
say threshold sg_modes -p 0x1c,2 "$thin"
say opcodes sg_opcodes -m "$thin"
say luns sg_luns "$thin"
say logs sg_logs -p 0xc "$thin"
say copy_results sg_copy_results --params "$thin"

head -c 4096 /dev/urandom >/tmp/random
head -c 512 /tmp/random >/tmp/block
head -c 512 /dev/zero | cat - /tmp/block >/tmp/compare
say write sg_dd if=/tmp/random of="$thin" bs=512 count=8 seek=64
say verify sg_verify --lba=64 --count=8 --in=/tmp/random --ndo=4096 "$thin"
say verify.miscompare sg_verify --16 --lba=65 --count=8 --in=/tmp/random --ndo=4096 "$thin"
say status.before sg_get_lba_status --lba=0 "$thin"
say status.mapped sg_get_lba_status --lba=64 "$thin"
say unmap sg_unmap --lba=64 --num=8 --force "$thin"
say status.unmapped sg_get_lba_status --lba=64 "$thin"
say compare sg_compare_and_write --in=/tmp/compare --lba=64 --num=1 --xferlen=1024 "$thin"
say compare.again sg_compare_and_write --in=/tmp/compare --lba=64 --num=1 --xferlen=1024 "$thin"
say write_same sg_write_same --lba=65 --num=1000 --in=/tmp/block --xferlen=512 "$thin"
say copy sg_xcopy if="$thin" of="$thin" bs=512 count=1000 skip=64 seek=4096
say copied sg_verify --lba=4096 --count=1 --in=/tmp/block --ndo=512 "$thin"
say write_same.unmap sg_write_same --16 --unmap --lba=64 --num=1008 "$thin"
say status.end sg_get_lba_status --lba=64 "$thin"
say sanitize sg_sanitize --overwrite --zero --quick --wait "$large"
say sanitize.erase sg_sanitize --block --quick --wait "$thin"
say sanitize.crypto sg_sanitize --crypto --quick --wait "$thin"
say sense sg_requests "$thin"
say read_only.write sg_write_same --lba=0 --num=8 --in=/tmp/block --xferlen=512 "$read_only"
srp_logout_all
