# conformance.sh TARGET LUN [FAMILY...]: libiscsi's SCSI suite on an SRP disk through SG_IO, destructive tests
# included. One process a family, so that one that dies does not hide the rest; a family that died goes again test by test.
# Where TARGET2 is set, the same disk through that target line is the second path of the tests of two paths.
. /guest/guest.sh
lun=$2
# The suite reads 1 MiB with one command; the defaults allow half of it, and less to SG.
srp_login "$1" max_sect=2048,cmd_sg_entries=255,sg_tablesize=255
shift 2
# node HOST: the SG device of the LUN
node() { ls "/sys/class/scsi_host/$1"/device/target*/*:"$lun"/scsi_generic; }
wait_for 10 node "$HOST" || die "no LUN $lun"
first=/dev/$(node "$HOST")
second=
if [ -n "${TARGET2:-}" ]; then
    srp_login "$TARGET2" max_sect=2048,cmd_sg_entries=255,sg_tablesize=255,initiator_ext=0000000000000002
    wait_for 10 node "$HOST" || die "no LUN $lun on the second path"
    second=/dev/$(node "$HOST")
fi
list=$(iscsi-test-cu -l)
families=${*:-$(sed -n 's/^SCSI\.\([^.]*\)$/\1/p' <<<"$list")}

one() { # NAME
    local status began paths=$first
    began=$(date +%s%N)
    echo "=== begin $1"
    if [[ $1 = MultipathIO* && -n $second ]]; then
        # The suite compares one block more with zeros than it has written.
        # A disk that is read-only stays as it is, and the tests fail in writing.
        sg_write_same --10 --in=/dev/zero --xferlen=512 --lba=0 --num=1024 "$first" >/dev/null 2>&1
        # What the first path has done meanwhile is news to the second.
        sg_turs --number=20 "$second" >/dev/null 2>&1
        paths="$first $second"
    fi
    timeout 120 stdbuf -oL iscsi-test-cu --dataloss --allow-sanitize -v -t "SCSI.$1" $paths </dev/null 2>&1
    status=$?
    echo "=== end $1 $status $((($(date +%s%N) - began) / 1000000)) ms"
    return $status
}

for family in $families; do
    one "$family"
    if [ $? -ge 124 ]; then
        for test in $(sed -n "s/^SCSI\.$family\.//p" <<<"$list"); do
            one "$family.$test"
        done
    fi
done
srp_logout_all
