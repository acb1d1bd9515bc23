#!/bin/sh
# Makes a software Vulkan driver (lavapipe) available that computes correctly.
#
#     tests/setup-lavapipe.sh [PROBE…]
#
# PROBE is a command that succeeds when some adapter computes correctly, such as a test that runs on
# one. When it succeeds nothing is installed. After an installation it must succeed. Without a
# PROBE the driver is installed unless it is there already.
#
# Debian 12 needs care: its own lavapipe (Mesa 22.3) silently ends every loop after 65,535 rounds.
# Its backports suite has a sound one. That suite is not a package source by default, so one is
# derived from the machine's own Debian source, with the same mirror and the same key.
set -eu

say() { printf '%s\n' "setup-lavapipe: $*" >&2; }

# The probe prints what it found; that is of interest only when it is the last word.
if [ "$#" -gt 0 ] && "$@" >/dev/null 2>&1; then
    exit 0
fi

if [ ! -r /etc/os-release ] || ! command -v apt-get >/dev/null 2>&1; then
    say "no adapter passes the probe, and this is no Debian or Ubuntu."
    say "Install a Vulkan driver: that of your GPU, or Mesa's lavapipe 24 or newer."
    exit 1
fi
. /etc/os-release

# The commands that need root, one a line, so that they can be shown instead of run.
plan=$(mktemp)
trap 'rm -f "$plan" "$plan.sources"' EXIT

if [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ]; then
    list=/etc/apt/sources.list.d/ravel-backports.sources
    packages="libvulkan1 mesa-vulkan-drivers/$VERSION_CODENAME-backports libdrm2/$VERSION_CODENAME-backports"
    if ! grep -rqs "$VERSION_CODENAME-backports" /etc/apt/sources.list /etc/apt/sources.list.d; then
        # The stanza, or the one-line source, whose suite is the release itself.
        for file in /etc/apt/sources.list.d/*.sources; do
            [ -e "$file" ] || continue
            awk -v RS= -v suite="$VERSION_CODENAME" '
                { found = 0; n = split($0, lines, "\n")
                  for (i = 1; i <= n; i++) if (lines[i] ~ /^Suites:/) {
                      m = split(lines[i], words, " ")
                      for (j = 2; j <= m; j++) if (words[j] == suite) found = 1
                  }
                  if (!found) next
                  for (i = 1; i <= n; i++) {
                      if (lines[i] ~ /^#/) continue
                      if (lines[i] ~ /^Suites:/) lines[i] = "Suites: " suite "-backports"
                      if (lines[i] ~ /^Components:/) lines[i] = "Components: main"
                      print lines[i]
                  }
                  exit }' "$file" >"$plan.sources"
            [ -s "$plan.sources" ] && break
        done
        if [ ! -s "$plan.sources" ] && [ -r /etc/apt/sources.list ]; then
            list=/etc/apt/sources.list.d/ravel-backports.list
            awk -v suite="$VERSION_CODENAME" '
                $1 == "deb" { for (i = 2; i <= NF; i++) if ($i == suite) {
                    line = "deb"; for (j = 2; j < i; j++) line = line " " $j
                    print line " " suite "-backports main"; exit } }' /etc/apt/sources.list >"$plan.sources"
        fi
        if [ ! -s "$plan.sources" ]; then
            say "found no package source of $VERSION_CODENAME to derive its backports from; add one and run me again."
            exit 1
        fi
        { printf "tee %s >/dev/null <<'END'\n" "$list"; cat "$plan.sources"; printf 'END\n'; } >>"$plan"
    fi
else
    packages="libvulkan1 mesa-vulkan-drivers"
fi
printf '%s\n' "export DEBIAN_FRONTEND=noninteractive" "apt-get update" "apt-get install --yes --no-install-recommends $packages" >>"$plan"

# With no probe to ask, the package's presence has to do.
if [ "$#" -eq 0 ] && dpkg-query -W -f '${Version}\n' mesa-vulkan-drivers 2>/dev/null | grep -Eq '^(2[4-9]|[3-9][0-9])\.'; then
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    root="sh"
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    root="sudo -n sh"
else
    say "no adapter passes the probe, and installing one needs root. Please run, as root:"
    cat "$plan" >&2
    exit 1
fi
say "installing: $packages"
$root -e "$plan" >&2

if [ "$#" -eq 0 ]; then exit 0; fi
"$@" >&2 || { say "the driver is installed, but the probe still fails: $*"; exit 1; }
