#!/usr/bin/env bash
# Installs the Debian package in a fresh root of this machine's distribution, starts the service as its unit says, upgrades,
# removes and purges, and compares what is left with what was there before. As root, in about half a minute.
# Usage: check-package.sh srpt.deb srpt.jar        JDK25_HOME names a JDK for the initiator. Exit status 77: skipped.
set -euo pipefail
deb=$(readlink -f "$1")
jar=$(readlink -f "$2")
java=${JDK25_HOME:?}/bin/java

skip() {
    echo "skipped: $*"
    exit 77
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || skip "not root"
for tool in mmdebstrap chroot dpkg curl; do
    command -v "$tool" >/dev/null || skip "no $tool"
done
[ -f "$deb" ] || skip "there is no $deb: the build left it out"

work=$(mktemp -d /var/tmp/srpt-package.XXXXXX)
root=$work/root
server=
cleanup() {
    if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT
step() { echo "== ${SECONDS} s: $*"; }
in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
# All files with their kinds, modes, owners; and what is in the lists of users and groups.
files() {
    (cd "$root" && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache -o -path ./proc \) -prune -o \
        ! -path './etc/*-' -printf '%p %y %m %U %G\n' | sort)
    cat "$root"/etc/{passwd,group,shadow,gshadow,subuid,subgid} 2>/dev/null || true
}

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
step "a root of Debian $release"
mmdebstrap --mode=root --variant=essential --include=passwd --dpkgopt=force-unsafe-io "$release" "$root" \
    http://deb.debian.org/debian >"$work/mmdebstrap.log" 2>&1 || fail "$(tail "$work/mmdebstrap.log")"
mount --bind /proc "$root/proc"
files >"$work/before"

install() {
    cp "$deb" "$root/tmp/srpt.deb"
    in_root chroot "$root" dpkg --force-unsafe-io -i /tmp/srpt.deb >"$work/dpkg.log" 2>&1 || fail "$(cat "$work/dpkg.log")"
    rm "$root/tmp/srpt.deb"
}
step "install"
install
in_root chroot "$root" dpkg --verify srpt
[ "$(stat -c '%a %U' "$root/etc/srpt/srpt.yaml" | cut -d' ' -f1)" = 600 ] || fail "the configuration can be read by others"
user=$(in_root chroot "$root" id -u srpt)
[ "$(stat -c '%a %u' "$root/var/lib/srpt")" = "750 $user" ] || fail "/var/lib/srpt is $(stat -c '%a %u' "$root/var/lib/srpt")"
for file in usr/share/man/man8/srpt-serve.8.gz usr/share/man/man5/srpt.yaml.5.gz usr/share/bash-completion/completions/srpt usr/lib/systemd/system/srpt.service; do
    [ -f "$root/$file" ] || fail "no $file"
done
# With "on" the JVM does not start where it cannot take the cache.
in_root JDK_JAVA_OPTIONS=-XX:AOTMode=on chroot "$root" srpt --version 2>/dev/null | grep -q '^srpt ' || fail "the AOT cache is not taken"

unit=$root/usr/lib/systemd/system/srpt.service
of_unit() { sed -n "s/^$1=//p" "$unit"; }
[ "$(of_unit User)" = srpt ] || fail "the unit's user"
if command -v systemd-analyze >/dev/null; then
    step "what systemd says of the unit: $(systemd-analyze --version | head -n 1)"
    sed "s|=/usr/bin/srpt|=$root/usr/bin/srpt|" "$unit" >"$work/srpt.service"
    systemd-analyze verify "$work/srpt.service" >"$work/verify.log" 2>&1 || fail "$(cat "$work/verify.log")"
    [ ! -s "$work/verify.log" ] || fail "$(cat "$work/verify.log")"
    # From 0 to 10; what remains is what a service on the network, on disks and RDMA devices needs.
    systemd-analyze security --offline=true --threshold=20 --no-pager "$work/srpt.service" >"$work/security.log" ||
        fail "$(cat "$work/security.log")"
    tail -n 1 "$work/security.log"
fi
run_as_unit() { # of the unit, in what systemd gives: its user, its state directory, nothing else
    # shellcheck disable=SC2046
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin STATE_DIRECTORY="/var/lib/$(of_unit StateDirectory)" \
        chroot --userspec="$user:$user" --groups= "$root" $(of_unit "$1")
}
(run_as_unit ExecStart) >"$work/fresh.log" 2>&1 && fail "it serves though it has no disk"
grep -q 'no disk to serve' "$work/fresh.log" || fail "$(cat "$work/fresh.log")"

address=127.$((RANDOM % 90 + 130)).$((RANDOM % 250 + 1)).$((RANDOM % 250 + 1))
http=127.0.0.1:$((RANDOM % 10000 + 20000))
cat >"$root/etc/srpt/srpt.yaml" <<END
listen: [$address]
lun: [memory:16MiB, "file:/var/lib/srpt/disk.img:16MiB"]
acls: any
http: $http
END
serve() {
    (run_as_unit ExecStartPre) >"$work/check.log" 2>&1 || fail "$(cat "$work/check.log")"
    run_as_unit ExecStart >"$work/server.out" 2>"$work/server.err" &
    server=$!
    for _ in $(seq 200); do
        if grep -q "dest=$address" "$work/server.out"; then break; fi
        kill -0 "$server" 2>/dev/null || fail "$(cat "$work/server.err")"
        sleep 0.1
    done
    [ "$(curl -fsS "http://$http/readyz")" = ready ] || curl -fsS "http://$http/readyz" >/dev/null || fail "it is not ready"
}
stop() {
    local status=0
    kill -TERM "$server"
    wait "$server" || status=$?
    server=
    [ "$status" = 0 ] || fail "SIGTERM ends it with status $status: $(cat "$work/server.err")"
}
step "serve, as the unit says"
serve
[ "$(awk '/^Uid:/ {print $2}' "/proc/$server/status")" = "$user" ] || fail "it does not run as srpt"
grep -q ' /.*srpt.aot$' "/proc/$server/maps" || fail "the AOT cache is not mapped"
"$java" -jar "$jar" bench "$address" --seconds 1 --warmup 0 --mix 50 >"$work/bench.log" 2>&1 || fail "$(cat "$work/bench.log")"
line=$(cat "$work/server.out")
stop
step "upgrade: configuration and identity stay"
cp "$root/etc/srpt/srpt.yaml" "$work/srpt.yaml"
install
cmp -s "$root/etc/srpt/srpt.yaml" "$work/srpt.yaml" || fail "the configuration is another one"
serve
[ "$(cat "$work/server.out")" = "$line" ] || fail "$(cat "$work/server.out") after $line"
stop
step "remove: configuration and identity stay"
in_root chroot "$root" dpkg -r srpt >"$work/dpkg.log" 2>&1 || fail "$(cat "$work/dpkg.log")"
[ ! -e "$root/usr/lib/srpt" ] && [ ! -e "$root/usr/bin/srpt" ] && [ ! -e "$unit" ] || fail "the program is still there"
[ -f "$root/etc/srpt/srpt.yaml" ] && [ -f "$root/var/lib/srpt/disk.img" ] || fail "more than the program is gone"
step "purge"
in_root chroot "$root" dpkg --purge srpt >"$work/dpkg.log" 2>&1 || fail "$(cat "$work/dpkg.log")"
files >"$work/after"
diff "$work/before" "$work/after" || fail "purge leaves something behind"
step "nothing is left"
