# Does once what users do, and lets the JVM write down what a start needs: later starts take about half the time. Two
# caches, as all that is in one is loaded at every start. For whoever has sourced launch.bash; 'samples' is where
# documents and examples are.

# SQLite's library, which it would unpack at every start.
unpack_native() {
    rm -rf "$ship/native"
    mkdir -p "$ship/native"
    (cd "$ship/native" && "${jdk:-$JAVA_HOME}/bin/jar" xf "$ship"/lib/sqlite-jdbc-*.jar org/sqlite/native/Linux) || true
}

prepare_lessons() { # scratch
    rm -f "$ship"/*.aot
    "$JAVA_HOME/bin/java" "${jvm[@]}" -cp "$(class_path)" dev.towtank.app.Main train preparation \
        --recent "$ship"/lib/picocli-*.jar "$1" || true
}

learn_lessons() { # scratch
    learn server "${server_jvm[@]}" -- "$1"
    # What code was worth optimizing is of no use where nothing is optimized, and costs time to look at.
    learn tools "${tool_jvm[@]}" -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining -- \
        --lint "${samples:-$home}/docs/lint.md" --lint "${samples:-$home}/examples" "$1"
}

learn() { # lesson [option of the JVM ...] -- argument ...
    local lesson="$1" options=()
    shift
    while [[ "$1" != -- ]]; do
        options+=("$1")
        shift
    done
    "$JAVA_HOME/bin/java" -XX:AOTCacheOutput="$ship/$lesson.aot" "${jvm[@]}" "${options[@]}" -cp "$(class_path)" \
        dev.towtank.app.Main train "$lesson" "${@:2}" || rm -f "$ship/$lesson.aot"
}

is_learnt() { [[ -f "$ship/server.aot" && -f "$ship/tools.aot" ]]; }
