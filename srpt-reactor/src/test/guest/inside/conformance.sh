# conformance.sh TARGET LUN [FAMILY...]: libiscsi's SCSI suite on an SRP disk through SG_IO, destructive tests
# included. One process a family, so that one that dies does not hide the rest; a family that died goes again test by test.
. /guest/guest.sh
lun=$2
srp_login "$1"
shift 2
node=$(ls "/sys/class/scsi_host/$HOST"/device/target*/*:"$lun"/scsi_generic) || die "no LUN $lun"
list=$(iscsi-test-cu -l)
families=${*:-$(sed -n 's/^SCSI\.\([^.]*\)$/\1/p' <<<"$list")}

one() { # NAME
    local status began
    began=$(date +%s%N)
    echo "=== begin $1"
    timeout 120 stdbuf -oL iscsi-test-cu --dataloss --allow-sanitize -v -t "SCSI.$1" "/dev/$node" </dev/null 2>&1
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
srp_logout "$HOST"
