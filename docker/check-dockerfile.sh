#!/usr/bin/env bash
# Builds docker/Dockerfile and runs what comes out, without a container engine and without a registry: with buildah in
# its chroot isolation. The two base images are made here under the names that the Dockerfile gives, of a Debian root
# with this machine's JDK 25 and Maven in it; Maven works offline on this machine's repository.
# What a stage of the Dockerfile installs with apt-get comes from this machine's installed packages, too; it isn't there else.
# Checks: the image builds; the native library is in it and finds rdma-core's; its user is not root; the service gets ready,
# with the AOT cache; the health check fails while nothing serves and succeeds then; SIGTERM ends it with status 0. As root.
# Usage: docker/check-dockerfile.sh [--debootstrap]
#   --debootstrap  a fresh Debian root from the mirror (a minute or two); else one of this machine's own packages
# JDK25_HOME names the JDK. Exit status 77: a tool is missing.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
base=${1:---host}
jdk=${JDK25_HOME:-${JAVA_HOME:-}}

skip() {
    echo "skipped: $*"
    exit 77
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || skip "not root"
for tool in buildah chroot dpkg curl mvn; do
    command -v "$tool" >/dev/null || skip "no $tool"
done
[ "$base" != --debootstrap ] || command -v debootstrap >/dev/null || skip "no debootstrap"
[ -x "$jdk/bin/javac" ] && "$jdk/bin/java" -version 2>&1 | grep -q '"25' || skip "JDK25_HOME is no JDK 25"

work=$(mktemp -d /var/tmp/srpt-dockerfile.XXXXXX)
server=
cleanup() {
    if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
    buildah --root "$work/store" --runroot "$work/run" rm --all >/dev/null 2>&1 || true
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs TMPDIR=$work
b() { buildah --root "$work/store" --runroot "$work/run" "$@"; }
step() { echo "== ${SECONDS} s: $*"; }

# What the Dockerfile installs in its stage N, from 1.
wanted() {
    awk -v stage="$1" '/^FROM / { n++ } n != stage { next }
        on { if (/&&/) on = 0; else { gsub(/\\/, ""); print } } /apt-get install/ { on = 1 }' "$top/docker/Dockerfile" | xargs -n 1
}

# Names of packages and of all that they need.
with_needs() {
    apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks \
        --no-replaces --no-enhances "$@" | grep -E '^[a-z0-9]' | sort -u
}

# A tar archive of the files of installed packages.
pack() {
    { dpkg -L "$@" 2>/dev/null || true; } | { grep -Ev '^/usr/share/(doc|man|locale|info)/' || true; } | sort -u | while read -r file; do
        if [ -f "$file" ] || [ -h "$file" ]; then echo "${file#/}"; fi
    done | tar -C / -cf - -T -
}

host_root() {
    local root=$1
    mkdir -p "$root"/usr/{bin,sbin,lib,lib64}
    for each in bin sbin lib lib64; do ln -s "usr/$each" "$root/$each"; done
    with_needs base-files base-passwd bash coreutils curl debianutils findutils grep libc-bin login passwd sed tar >"$work/base"
    # shellcheck disable=SC2046
    pack $(<"$work/base") | tar -C "$root" -xf - --keep-directory-symlink
    mkdir -p "$root"/{dev,proc,sys,tmp,root,home,var/lib,etc}
    chmod 1777 "$root/tmp"
    cp /usr/share/base-passwd/passwd.master "$root/etc/passwd"
    cp /usr/share/base-passwd/group.master "$root/etc/group"
    ln -sf bash "$root/usr/bin/sh"
    cat >"$root/usr/bin/apt-get" <<'END'
#!/bin/bash
# Unpacks what was packed for this stage.
set -e
[[ " $* " = *" install "* ]] || exit 0
for word; do
    case $word in
    install | -*) ;;
    *) tar -C / -xf "/var/lib/packed/$word.tar" --keep-directory-symlink ;;
    esac
done
[ ! -e /usr/bin/gcc ] || ln -sf gcc /usr/bin/cc
ldconfig
END
    chmod 755 "$root/usr/bin/apt-get"
    chroot "$root" /sbin/ldconfig
}

# stage_packages ROOT N: puts what the stage installs where that apt-get finds it.
stage_packages() {
    local package
    [ "$base" = --host ] || return 0
    rm -rf "$1/var/lib/packed"
    mkdir -p "$1/var/lib/packed"
    for package in $(wanted "$2"); do
        # shellcheck disable=SC2046
        pack $(with_needs "$package" | comm -23 - "$work/base") >"$1/var/lib/packed/$package.tar"
    done
}

for package in $(wanted 1) $(wanted 2); do
    [ "$base" != --host ] || dpkg -s "$package" >/dev/null 2>&1 || skip "package $package is not installed"
done

step "a Debian root ($base)"
root=$work/root
if [ "$base" = --debootstrap ]; then
    debootstrap --variant=minbase --include=curl "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" \
        http://deb.debian.org/debian >"$work/debootstrap.log" || fail "$(tail "$work/debootstrap.log")"
else
    host_root "$root"
fi

step "base images: with $jdk and $(readlink -f "$(command -v mvn)")"
image() { # NAME: commits the root under that name
    local container
    container=$(b from scratch)
    b add -q "$container" "$root" / >/dev/null
    b config --env JAVA_HOME=/opt/java/openjdk --env PATH=/opt/java/openjdk/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
    b commit -q "$container" "docker.io/library/$1" >/dev/null
    b rm "$container" >/dev/null
}
mapfile -t bases < <(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$top/docker/Dockerfile")
[ "${#bases[@]}" = 2 ] || fail "the Dockerfile has ${#bases[@]} stages"
mkdir -p "$root/opt/java"
stage_packages "$root" 2
image "${bases[1]}"
cp -rL "$jdk" "$root/opt/java/openjdk"
# jlink wants all other files as they were.
rm -rf "$root"/opt/java/openjdk/{jmods,lib/src.zip}
cp -rL "$(dirname "$(dirname "$(readlink -f "$(command -v mvn)")")")" "$root/opt/maven"
ln -s /opt/maven/bin/mvn "$root/usr/bin/mvn"
mkdir -p "$root/opt/maven/conf"
echo '<settings><localRepository>/host-repository</localRepository><offline>true</offline></settings>' \
    >"$root/opt/maven/conf/settings.xml"
stage_packages "$root" 1
image "${bases[0]}"
rm -rf "$root"

step "build"
b bud --pull-never --volume "${MAVEN_REPOSITORY:-$HOME/.m2/repository}:/host-repository" --ignorefile "$top/.dockerignore" --format docker \
    -f "$top/docker/Dockerfile" -t srpt "$top" >"$work/build.log" 2>&1 || fail "$(tail -80 "$work/build.log")"
grep '^STEP' "$work/build.log" || grep -E 'STEP' "$work/build.log"

step "run"
inspect() { b inspect --type image --format "{{$1}}" srpt; }
user=$(inspect .Docker.Config.User)
[ "$user" != 0 ] && [ "$user" != root ] && [ -n "$user" ] || fail "the user is root"
container=$(b from --pull-never srpt)
mount=$(b mount "$container")
[ -d /proc ] && mount --bind /proc "$mount/proc" && trap 'umount "$mount/proc" 2>/dev/null || true; cleanup' EXIT
mknod -m 666 "$mount/dev/random" c 1 8 2>/dev/null || true
mknod -m 666 "$mount/dev/urandom" c 1 9 2>/dev/null || true
mknod -m 666 "$mount/dev/null" c 1 3 2>/dev/null || true
address=127.$((RANDOM % 90 + 130)).$((RANDOM % 250 + 1)).$((RANDOM % 250 + 1))
words() { inspect "range .Docker.Config.$1}}{{println .}}{{end" | sed '/^$/d'; }
mapfile -t environment < <(words Env)
mapfile -t entrypoint < <(words Entrypoint)
mapfile -t health < <(words Healthcheck.Test)
# chroot needs root, so it comes first; what it runs is the user's.
run() { env -i "${environment[@]}" "SRPT_HTTP=$address:9464" \
    chroot --userspec="$user:$user" --groups= "$mount" "$@"; }
healthy() { run /bin/sh -c "${health[1]}" >/dev/null 2>&1; }
[ "${health[0]:-}" = CMD-SHELL ] || fail "no health check"
if healthy; then fail "the health check succeeds though nothing serves"; fi
verbs=$(env -i "${environment[@]}" chroot --userspec="$user:$user" --groups= "$mount" \
    "${entrypoint[@]}" serve --provider disni --lun memory:16MiB --http none 2>&1) && fail "there is RDMA hardware? $verbs"
echo "$verbs" | grep -q 'there is no RDMA device' || fail "the native library does not work: $verbs"
step "the native library works: $(echo "$verbs" | grep 'no RDMA device')"
env -i "${environment[@]}" "SRPT_HTTP=$address:9464" chroot --userspec="$user:$user" --groups= "$mount" \
    "${entrypoint[@]}" serve --listen "$address" --lun memory:16MiB >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
    healthy && break
    kill -0 "$server" 2>/dev/null || fail "$(cat "$work/server.log")"
    sleep 0.2
done
healthy || fail "not healthy: $(cat "$work/server.log")"
uid=$(awk '/^Uid:/ {print $2}' "/proc/$server/status")
[ "$uid" = "$user" ] || fail "it runs as $uid"
step "healthy as user $uid: $(grep ioc_guid "$work/server.log")"
grep -q ' /.*srpt.aot$' "/proc/$server/maps" || fail "the AOT cache is not mapped"
kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
[ "$status" = 0 ] || fail "SIGTERM ends it with status $status: $(cat "$work/server.log")"
step "SIGTERM ended it with status 0: the Dockerfile's steps work"
