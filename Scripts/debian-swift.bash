# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
#
# Swift 6.2.3, as Debian builds it, in a root of its own: its C library is newer than that of most machines. Sourced
# after support.bash; gives `prepare_debian_swift`, `in_debian`, `fetch_swift_sources` and `prepare_arm`.
#
# Everything is in .build-debian: 1.1 GB to download, 8 GB on disk, some 6 minutes. A second call does nothing.

debian=$PWD/.build-debian

# Runs a command in the root, in the package's folder, which is also at /package: what is compiled there finds the
# package's files outside as well. The compiler's launcher needs a /proc. Packages that git reads from a folder of this
# machine instead of from elsewhere are there too.
in_debian() {
    local folders
    folders=$(git config --get-regexp '^url\./.*\.insteadof$' | sed -E 's/^url\.(.*)\.insteadof .*/\1/' | sort -u) || true
    unshare --mount --pid --fork --kill-child sh -c '
        root=$0 package=$1 folders=$2
        shift 2
        mount -t proc proc "$root/proc"
        for folder in $folders; do
            mkdir -p "$root$folder"
            mount --bind "$folder" "$root$folder"
        done
        mkdir -p "$root$package"
        mount --bind "$package" "$root/package"
        mount --bind "$package" "$root$package"
        exec chroot "$root" env --chdir="$package" HOME=/root "$@"' "$debian/x86" "$PWD" "$folders" "$@"
}

# Fails unless this machine can hold the root.
check_debian_machine() {
    if [[ $(uname -s) != Linux || $(uname -m) != x86_64 || $EUID != 0 ]] || ! command -v apt-get >/dev/null; then
        echo "This needs Debian on x86-64, and root: it makes a root of its own." >&2
        return 1
    fi
}

# Makes apt look at Debian's unstable release, for both processors, in folders of its own.
use_unstable() {
    local mirror
    mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' | awk '$1 == "Debian" && !found++ { print $2 }')
    if [[ -z $mirror ]]; then
        # No lists yet.
        apt-get update --quiet --quiet >&2
        mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' | awk '$1 == "Debian" && !found++ { print $2 }')
    fi
    if [[ -z $mirror ]]; then
        echo "apt knows no mirror of Debian: this needs Debian." >&2
        return 1
    fi
    mkdir -p "$debian"/{lists/partial,cache/archives/partial,packages,sources}
    local signed="signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
    printf '%s\n' "deb [arch=amd64,arm64 $signed] $mirror sid main" "deb-src [$signed] $mirror sid main" \
        >"$debian/sources.list"
    cat >"$debian/apt.conf" <<CONF
Dir::State::lists "$debian/lists";
Dir::Cache "$debian/cache";
Dir::Etc::sourcelist "$debian/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Architectures { "amd64"; "arm64"; };
APT::Sandbox::User "root";
CONF
    APT_CONFIG=$debian/apt.conf apt-get update --quiet --quiet >&2
    debian_mirror=$mirror
}

# Says what went wrong, and ends.
fail_with_log() {
    tail --lines 5 "$debian/log" >&2
    echo "Debian's root cannot be made: see $debian/log" >&2
    exit 1
}

# Makes the root.
prepare_debian_swift() {
    if [[ -e $debian/ready ]]; then return 0; fi
    check_debian_machine || return 1
    if [[ $debian == *[[:space:]]* ]]; then
        echo "debootstrap needs a folder without blanks in its path: $debian" >&2
        return 1
    fi
    step "Getting Swift 6.2.3: downloads 1.1 GB, takes 8 GB in .build-debian, some 6 minutes"
    require_packages binutils debootstrap debian-archive-keyring
    mkdir -p "$debian"
    use_unstable
    # What an interrupted run has left cannot be gone on with. Nothing is mounted there: see in_debian.
    rm -rf "${debian:?}/x86"
    local tools=ca-certificates,git,libcurl4t64,libc6-dev,libstdc++-15-dev,g++,make,zlib1g-dev,python3
    debootstrap --variant=minbase --include="$tools" sid "$debian/x86" "$debian_mirror" >"$debian/log" 2>&1 ||
        fail_with_log
    (
        cd "$debian/packages"
        export APT_CONFIG=$debian/apt.conf
        apt-get download --quiet --quiet swiftlang:{amd64,arm64} libswiftlang:{amd64,arm64} linux-libc-dev \
            {libc6,libc6-dev,libstdc++-15-dev,libgcc-15-dev,libstdc++6,libgcc-s1}:arm64 \
            {libcrypt1,zlib1g,zlib1g-dev,libxml2-16,libuuid1}:arm64
        # OpenCombine brings Foundation's networking along, and that needs libcurl. With an empty list of what is
        # installed apt finds all that this needs.
        mkdir -p partial
        touch ../no-packages
        apt-get install --quiet --quiet --yes --download-only --no-install-recommends \
            --option Dir::State::status="$debian/no-packages" --option Dir::Cache::archives="$debian/packages" \
            libcurl4t64:arm64
    )
    cp "$debian"/packages/*swiftlang*amd64.deb "$debian/x86/tmp/"
    chroot "$debian/x86" sh -c \
        'DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes /tmp/*.deb && rm /tmp/*.deb' \
        >>"$debian/log" 2>&1 || fail_with_log
    echo /usr/libexec/swift/lib/swift/linux >"$debian/x86/etc/ld.so.conf.d/swift.conf"
    chroot "$debian/x86" ldconfig
    add_testing_foundation "$debian/x86/usr/lib/x86_64-linux-gnu"
    mkdir -p "$debian/x86/package"
    # Where git reads packages from.
    if [[ -e /etc/gitconfig ]]; then cp /etc/gitconfig "$debian/x86/etc/gitconfig"; fi
    # Debian's unstable release has one version at a time. Counts of tests are of this one.
    if ! in_debian swift --version 2>&1 | grep --fixed-strings 'version 6.2.3' >&2; then
        echo "Debian's Swift is not 6.2.3 any more: change what names that version, and test again." >&2
        return 1
    fi
    prepare_arm
    touch "$debian/ready"
}

# The package has this module and not its library, which the tests do not need: an empty one.
add_testing_foundation() { ar rcs "$1/lib_Testing_Foundation.a"; }

# Unpacks the AArch64 packages in the root, at /arm64, and makes a Swift SDK of them, for `swift build --swift-sdk arm`.
prepare_arm() {
    local arm=$debian/x86/arm64 sdk=$debian/x86/sdks/arm.artifactbundle package
    mkdir -p "$arm" "$sdk/arm"
    for package in "$debian"/packages/*_arm64.deb "$debian"/packages/linux-libc-dev_*; do
        dpkg-deb --extract "$package" "$arm"
    done
    # Where the compiler's driver looks.
    ln -sfn usr/lib "$arm/lib"
    add_testing_foundation "$arm/usr/lib"
    local resources=/arm64/usr/libexec/swift/lib tools='["--gcc-toolchain=/arm64/usr"]'
    cat >"$sdk/info.json" <<JSON
{"schemaVersion": "1.0", "artifacts": {"arm": {"type": "swiftSDK", "version": "1.0.0", "variants": [
  {"path": "arm", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"]}]}}}
JSON
    cat >"$sdk/arm/swift-sdk.json" <<JSON
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
  "sdkRootPath": "/arm64", "swiftResourcesPath": "$resources/swift",
  "swiftStaticResourcesPath": "$resources/swift_static", "toolsetPaths": ["toolset.json"]}}}
JSON
    cat >"$sdk/arm/toolset.json" <<JSON
{"schemaVersion": "1.0",
 "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld", "-Xclang-linker", "--gcc-toolchain=/arm64/usr"]},
 "cCompiler": {"extraCLIOptions": $tools}, "cxxCompiler": {"extraCLIOptions": $tools}}
JSON
}

# Gets the sources of Swift 6.2.3: its standard library, regular expressions and Swift Testing, for systems that are
# not Linux.
fetch_swift_sources() {
    if [[ -e $debian/sources/swiftlang-6.2.3/ready ]]; then return 0; fi
    step "Getting the sources of Swift 6.2.3: downloads 243 MB"
    require_packages xz-utils
    use_unstable
    (
        cd "$debian/sources"
        APT_CONFIG=$debian/apt.conf apt-get source --download-only --quiet --quiet swiftlang=6.2.3-1 >&2
        tar --extract --file swiftlang_6.2.3.orig.tar.xz swiftlang-6.2.3/swift/stdlib swiftlang-6.2.3/swift/utils \
            swiftlang-6.2.3/swift-testing/{Sources,Package.swift} \
            swiftlang-6.2.3/swift-experimental-string-processing/Sources
    )
    touch "$debian/sources/swiftlang-6.2.3/ready"
}
