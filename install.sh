#!/bin/sh
# Installs vibe as one executable, without Node and without sudo: downloads it and its checksum from the releases, compares
# the two, and puts it into ~/.local/bin. Nothing is installed if anything is not as it should be.
#
#     curl -fsSL https://raw.githubusercontent.com/vibe-index/vibe-index/main/install.sh | sh
#     … | sh -s -- --version 0.2.0 --dir ~/bin
#
# VIBE_RELEASES replaces the address of the releases: below it are latest/download/FILE and download/vVERSION/FILE.
set -eu

usage() {
  cat <<'TEXT'
Usage: install.sh [--version VERSION] [--dir DIR]

  --version VERSION  Install this version, such as 0.2.0 (default: the newest)
  --dir DIR          Install into this folder (default: ~/.local/bin)
  --help             Print this

The environment variable VIBE_RELEASES replaces the address of the releases.
TEXT
}

fail() {
  printf 'vibe: %s\n' "$1" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# The name of this system and machine, as Node calls them.
find_target() {
  case "$(uname -s)" in
    Linux)
      platform=linux
      # The executable is linked to the C library of most systems, not to that of Alpine.
      for loader in /lib/ld-musl-*; do
        if [ -e "$loader" ] && [ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]; then
          fail "there is no executable for systems with musl; install Node, then: npm install --global vibe-index"
        fi
      done
      ;;
    Darwin) platform=darwin ;;
    MINGW* | MSYS* | CYGWIN*) fail "on Windows run install.ps1 in PowerShell" ;;
    *) fail "there is no executable for $(uname -s); install Node, then: npm install --global vibe-index" ;;
  esac
  machine=$(uname -m)
  # A shell that Rosetta translates says x86_64 on Apple's own processors.
  if [ "$platform" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then
    machine=arm64
  fi
  case "$machine" in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no executable for $machine; install Node, then: npm install --global vibe-index" ;;
  esac
  printf '%s-%s\n' "$platform" "$machine"
}

# download URL FILE
download() {
  if has curl; then
    curl --fail --silent --show-error --location --retry 2 --connect-timeout 20 --output "$2" "$1"
  elif has wget; then
    wget -q -T 20 -t 3 -O "$2" "$1"
  else
    fail "curl or wget is needed to download it"
  fi || fail "could not download $1"
}

# The SHA-256 of a file, in lower case.
sha256() {
  if has sha256sum; then
    line=$(sha256sum <"$1")
  elif has shasum; then
    line=$(shasum -a 256 <"$1")
  elif has openssl; then
    line=$(openssl dgst -sha256 -r <"$1")
  else
    fail "sha256sum, shasum or openssl is needed to check the download; nothing was installed"
  fi
  printf '%s\n' "${line%% *}"
}

main() {
  version=latest
  folder=
  while [ $# -gt 0 ]; do
    case "$1" in
      --version | --dir)
        [ $# -gt 1 ] || fail "$1 needs a value"
        if [ "$1" = --dir ]; then folder=$2; else version=${2#v}; fi
        shift
        ;;
      --version=*) version=${1#*=} && version=${version#v} ;;
      --dir=*) folder=${1#*=} ;;
      --help | -h)
        usage
        exit 0
        ;;
      *)
        usage >&2
        fail "unknown argument '$1'"
        ;;
    esac
    shift
  done
  case "$version" in
    latest) ;;
    *[!0-9A-Za-z.-]* | [!0-9]* | '') fail "'$version' is no version; write it like 0.2.0" ;;
  esac
  if [ -z "$folder" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set; name a folder with --dir"
    folder=$HOME/.local/bin
  fi

  target=$(find_target)
  file=vibe-$target
  releases=${VIBE_RELEASES:-https://github.com/vibe-index/vibe-index/releases}
  if [ "$version" = latest ]; then
    address=$releases/latest/download
  else
    address=$releases/download/v$version
  fi

  mkdir -p "$folder" || fail "could not make the folder $folder"
  # For PATH and for what is said: a relative one means something else in another folder.
  folder=$(CDPATH='' cd -- "$folder" && pwd) || fail "cannot enter the folder $folder"
  [ ! -d "$folder/vibe" ] || fail "$folder/vibe is a folder; name another folder with --dir"
  # In the folder itself, so that the last step is a rename, which happens or does not.
  fresh=$(mktemp -d "$folder/.vibe-install.XXXXXX") || fail "cannot write to $folder; name another folder with --dir"
  trap 'rm -rf "$fresh"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  printf 'Downloading %s/%s\n' "$address" "$file"
  download "$address/SHA256SUMS" "$fresh/SHA256SUMS"
  download "$address/$file" "$fresh/vibe"

  # A line is the checksum, two spaces or a space and a star, and the name.
  expected=$(awk -v file="$file" '{ name = $2; sub(/^\*/, "", name); if (name == file) print tolower($1) }' "$fresh/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS has no line for $file; nothing was installed"
  actual=$(sha256 "$fresh/vibe")
  if [ "$actual" != "$expected" ]; then
    fail "the checksum of $file is $actual, not $expected; nothing was installed"
  fi

  chmod 755 "$fresh/vibe"
  installed=$("$fresh/vibe" --version) || fail "$file does not run on this machine; nothing was installed"
  mv -f "$fresh/vibe" "$folder/vibe"
  printf 'Installed vibe %s as %s\n' "$installed" "$folder/vibe"
  case ":${PATH:-}:" in
    *":$folder:"*) ;;
    *)
      # shellcheck disable=SC2016 # The shell of the user expands it.
      printf 'Add it to PATH in the file that your shell reads at its start: export PATH="%s:$PATH"\n' "$folder"
      ;;
  esac
}

# At the end, so that a script that was downloaded in part does nothing.
main "$@"
