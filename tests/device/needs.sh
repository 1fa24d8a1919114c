#!/bin/sh
# usage: needs.sh LIBRARY ABI_VERSION
# The shared library needs the C library, its mathematics and the loader, and is called by its ABI's version.
set -eu
library=$1
version=$2
dynamic=$(readelf -d "$library")
needed=$(printf '%s\n' "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for name in $needed; do
  case $name in
    libc.so.* | libm.so.* | ld-linux*.so.*) ;;
    *) echo "needs $name" && exit 1 ;;
  esac
done
printf '%s\n' "$dynamic" | grep -q "(SONAME).*\[libsotto_device\.so\.$version\]" || { echo 'has another name' && exit 1; }
echo "needs" $needed
