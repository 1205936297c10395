#!/usr/bin/env bash
# Builds libdisni.so into FOLDER/META-INF/native/linux-ARCHITECTURE where a C compiler and the headers are there.
# Where they are not, the build goes on without it, and says why: all but real RDMA hardware works.
#   build.sh FOLDER [JAVA_HOME]
set -euo pipefail
source_folder=$(cd "$(dirname "$0")" && pwd)
output="$1/META-INF/native/linux-$(uname -m)"

skip() {
    echo "srpt: no native library for RDMA hardware: $1"
    echo "srpt: on Debian: apt-get install gcc make libc6-dev libibverbs-dev librdmacm-dev libibumad-dev"
    exit 0
}

[ "$(uname -s)" = Linux ] || skip "it is for Linux"
command -v make >/dev/null || skip "make is missing"
compiler=${CC:-cc}
command -v "$compiler" >/dev/null || skip "a C compiler is missing ($compiler)"
for header in infiniband/verbs.h rdma/rdma_cma.h infiniband/umad.h; do
    echo "#include <$header>" | "$compiler" -E -x c - >/dev/null 2>&1 || skip "header $header is missing"
done
java_home=
for candidate in "${2:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    if [ -f "$candidate/include/jni.h" ]; then
        java_home=$candidate
        break
    fi
done
[ -n "$java_home" ] || skip "jni.h of a JDK is missing"
make -s -C "$source_folder" OUT="$output" JAVA_HOME="$java_home" CC="$compiler" CFLAGS="${CFLAGS:--O2 -g1}"
