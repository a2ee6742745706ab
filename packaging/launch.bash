# What the launcher of a checkout and the one of an installation share; both source it. They say in
#   home      where the program is
#   ship      where its jars, in lib/, and its caches are
#   launcher  which file starts it again
#   name      what the user typed
# and in JAVA_HOME which Java runs it.

typed=("$@")
[[ "${name:-}" != *[[:space:]]* ]] || printf -v name %q "$name" # as it can be typed

# What Debian has to bring, as 'command:package', or as '/path:package' for what is no command. A command that is there,
# from wherever, is good enough.
packages_for_up=(kubectl:kubernetes-client bwrap:bubblewrap busybox:busybox nsenter:util-linux)
packages_for_run=(bwrap:bubblewrap busybox:busybox nsenter:util-linux)
[[ $EUID -ne 0 ]] || packages_for_up+=(nft:nftables) # the way out of networks of pods, which root alone can make

# Names of files are UTF-8. In a locale that says otherwise, or that is not installed, Java gives up on all but ASCII.
letter=$'\xc3\xa9'
((${#letter} == 1)) || export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "towtank: $*"
    exit 1
}

# --- Debian packages ------------------------------------------------------------------------------------------------

need_packages() { # command:package or /path:package ...
    local pair missing=()
    for pair in "$@"; do
        [[ "$pair" == /* && -e "${pair%%:*}" ]] || is_there "${pair%%:*}" || missing+=("${pair#*:}")
    done
    [[ ${#missing[@]} -gt 0 && -z "${TOWTANK_WITHOUT_PACKAGES:-}" ]] || return 0
    # What cannot be done is told by the program itself, before anything is installed for it.
    is_understood || return 0
    command -v apt-get >/dev/null ||
        fail "these commands are missing, and there is no apt-get to install them with: ${missing[*]}. Install what Debian
calls so, or set TOWTANK_WITHOUT_PACKAGES=1 to go on without."
    if [[ $EUID -ne 0 ]]; then
        fail "these Debian packages are missing: ${missing[*]}. Install them with
    sudo apt-get install -y --no-install-recommends ${missing[*]}
and run this again, or set TOWTANK_WITHOUT_PACKAGES=1 to go on without. '$name doctor' tells what they are for."
    fi
    say "Installing with apt-get: ${missing[*]}"
    apt_get install -y --no-install-recommends "${missing[@]}" ||
        fail "apt-get could not install ${missing[*]}; what it said is above."
}

# Programs of administrators are not on everybody's PATH, not even on every root's.
is_there() { PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" command -v "$1" >/dev/null; }

is_understood() { # where that cannot be told yet, because nothing is built, it may be
    [[ "${typed[0]:-}" == @(up|run|conformance) && -d "$ship/lib" ]] || return 0
    (run parse "${typed[@]}") >/dev/null 2>&1 || (($? != 2))
}

apt_get() {
    local log wait=(-o DPkg::Lock::Timeout=300) # somebody else may be installing
    log="$(mktemp)"
    if DEBIAN_FRONTEND=noninteractive apt-get "${wait[@]}" "$@" >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    # A fresh machine has no package lists, an old one has outdated ones.
    if [[ $EUID -eq 0 ]] && apt-get "${wait[@]}" update >>"$log" 2>&1 &&
        DEBIAN_FRONTEND=noninteractive apt-get "${wait[@]}" "$@" >>"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    tail -n 5 "$log" >&2
    rm -f "$log"
    return 1
}

# --- Running --------------------------------------------------------------------------------------------------------

jvm=(
    -XX:+UseCompactObjectHeaders
    # Not ExitOnOutOfMemoryError: its exit code is the one of a cancelled run.
    '-XX:OnOutOfMemoryError=kill -9 %p'
    -XX:+DisplayVMOutputToStderr
    --enable-native-access=ALL-UNNAMED
    # What CEL brings with it reaches into memory in the old way, of which Java warns whoever typed the command.
    --sun-misc-unsafe-memory-access=allow
    # Making a quick way to call something takes a millisecond: too long for what is called a few times.
    -Djdk.reflect.useNativeAccessorOnly=true
)
# The same for training and for every start, or the cache fits badly.
# One thread that collects, and nothing to keep it informed: on a small heap that costs the others least. A server that is
# left alone gives back what it no longer needs, with nothing left between the objects, and what compilers and libraries
# had for a moment, too; trees of objects are cheap to make again. Methods that run once for a task were compiled for tenths
# of a second, together with all that they call, which had been compiled already. Less of that costs a warm GET some percent.
server_jvm=(-XX:+UseSerialGC -Xms96m -Xmn32m -Xmx2g -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20
    -XX:-ShrinkHeapInSteps -XX:SoftRefLRUPolicyMSPerMB=5 -XX:MarkSweepAlwaysCompactCount=1
    -XX:TrimNativeHeapInterval=30000 -XX:InlineSmallCode=800 -XX:FreqInlineSize=150 -XX:MaxInlineLevel=9)
# What ends after a second or two is over before optimizing its code would pay.
tool_jvm=("${server_jvm[@]}" -XX:TieredStopAtLevel=1)

native_path() { # where SQLite's library for this machine is, whether it was unpacked or not
    printf '%s' "$ship/native/org/sqlite/native/Linux/$(uname -m)"
}

class_path() { # in a fixed order, which is part of what the cache remembers
    local jar first=() rest=()
    for jar in "$ship"/lib/*.jar; do
        case "${jar##*/}" in
            # With classes that the cache cannot hold: to look into these first leaves most others closed.
            towtank-* | picocli-*) first+=("$jar") ;;
            *) rest+=("$jar") ;;
        esac
    done
    local IFS=:
    printf '%s' "${first[*]}:${rest[*]}"
}

run() {
    local lesson=tools flags=("${jvm[@]}") session=() extra=() native
    if [[ "${1:-}" == @(up|conformance) && " $* " != *' --detach '* ]]; then
        lesson=server
        flags+=("${server_jvm[@]}")
    else
        flags+=("${tool_jvm[@]}")
    fi
    # Silent where it does not fit, as after a change of the JDK: it is only a matter of speed.
    [[ ! -f "$ship/$lesson.aot" ]] || flags+=(-XX:AOTCache="$ship/$lesson.aot" -Xlog:aot=off -Xlog:cds=off)
    if [[ -n "${TOWTANK_BACKGROUND:-}" ]] && command -v setsid >/dev/null; then
        session=(setsid)
    fi
    native="$(native_path)"
    [[ ! -d "$native" ]] || flags+=("-Dorg.sqlite.lib.path=$native")
    read -r -a extra <<<"${TOWTANK_JAVA_OPTS:-}"
    export TOWTANK_LAUNCHER="$launcher" TOWTANK_NAME="${TOWTANK_NAME:-$name}"
    exec "${session[@]}" "$JAVA_HOME/bin/java" "${flags[@]}" "${extra[@]}" -cp "$(class_path)" \
        dev.towtank.app.Main "$@"
}

# How Java is started, an option a line: for tests that start the program as users do.
java_options() {
    printf '%s\n' "${jvm[@]}" -cp "$(class_path)"
}
