# login.sh TARGET OPTIONS: log in, make a file system, copy a tree of files to it, and find all of it again.
# Prints what was counted, `name value` a line.
. /guest/guest.sh

# The tree: small and large files, an empty one, a deep path, a link; about 6 MB, the same in every case.
make_tree() {
    local n
    [ ! -e /run/tree.sha256 ] || return 0
    mkdir -p /run/tree/a/b/c /run/tree/d
    for n in $(seq 40); do
        head -c $((n * n * 97)) /dev/urandom >"/run/tree/a/b/c/file-$n"
    done
    head -c 3500001 /dev/urandom >/run/tree/d/large
    : >/run/tree/d/empty
    ln -s ../a/b/c/file-7 /run/tree/d/link
    (cd /run/tree && find . -type f | sort | xargs sha256sum) >/run/tree.sha256
}

make_tree
began=$SECONDS
srp_login "$1" "${2:-}"
echo "ch_count $(host_value ch_count)"
echo "cmd_sg_entries $(host_value cmd_sg_entries)"
mkfs.ext4 -q -F "$DISK" || die "mkfs.ext4 failed"
mount "$DISK" /mnt || die "mount failed"
cp -a /run/tree /mnt/ || die "copy failed"
umount /mnt || die "unmount failed"
blockdev --flushbufs "$DISK"
e2fsck -fn "$DISK" >/run/e2fsck 2>&1 || { cat /run/e2fsck; die "e2fsck is not content"; }
mount "$DISK" /mnt || die "second mount failed"
(cd /mnt/tree && sha256sum --quiet -c /run/tree.sha256) || die "contents differ"
[ "$(readlink /mnt/tree/d/link)" = ../a/b/c/file-7 ] || die "the link differs"
echo "files $(find /mnt/tree -type f | wc -l)"
umount /mnt || die "second unmount failed"
echo "zero_req_lim $(host_value zero_req_lim)"
srp_logout "$HOST"
echo "seconds $((SECONDS - began))"
