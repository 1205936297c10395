# disk.sh synced|unsynced: the machine's own disk at /disk, with a file system where it is new, and at /disk/served a folder
# for a target's files. On an unsynced one the kernel skips what makes a file durable (fsync, fdatasync) and says that it was
# done; lun.img is there, 4 MiB of zeros that are durable.
. /guest/guest.sh
modprobe virtio_blk
wait_for 5 test -b /dev/vda || die "this machine has no disk"
new=
if [ "$(head -c 4096 /dev/vda | tr -d '\0' | wc -c)" = 0 ]; then
    new=yes
    mkfs.ext4 -q /dev/vda || die "no file system"
fi
mkdir -p /disk
mount /dev/vda /disk || die "the disk cannot be mounted"
mkdir -p /disk/served
[ "$1" = unsynced ] || exit 0
if [ "$new" ]; then
    mkdir /disk/upper
    head -c 4M /dev/zero >/disk/upper/lun.img
    sync
fi
[ -s /disk/upper/lun.img ] || die "lun.img is lost"
# The kernel leaves a mark in the folder so that nobody trusts it after a power cut.
rm -rf /disk/work
mkdir /disk/work
mount -t overlay -o "volatile,lowerdir=/disk/served,upperdir=/disk/upper,workdir=/disk/work" overlay /disk/served ||
    die "no overlay"
