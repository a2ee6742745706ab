package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.model.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The command line of the entrypoint, read as Go reads flags: `-name value`, `-name=value` or `--name …`, until `--`.
///
/// @param command what follows `--`
record EntrypointFlags(Map<String, List<String>> values, List<String> command) {

    private static final Set<String> SWITCHES = Set.of(
            "wait_file_content",
            "breakpoint_on_failure",
            "debug_before_step",
            "enable_spire",
            "compress_termination_message");

    EntrypointFlags {
        values = Map.copyOf(values);
        command = List.copyOf(command);
    }

    static EntrypointFlags parse(List<String> arguments) {
        var values = new LinkedHashMap<String, List<String>>();
        int next = 0;
        while (next < arguments.size() && !arguments.get(next).equals("--")) {
            var argument = arguments.get(next++);
            var text = argument.startsWith("--")
                    ? argument.substring(2)
                    : argument.substring(argument.startsWith("-") ? 1 : 0);
            int equals = text.indexOf('=');
            var name = equals < 0 ? text : text.substring(0, equals);
            String value;
            if (equals >= 0) {
                value = text.substring(equals + 1);
            } else if (SWITCHES.contains(name)) {
                value = "true";
            } else {
                value = next < arguments.size() ? arguments.get(next++) : "";
            }
            values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        }
        return new EntrypointFlags(
                values, next < arguments.size() ? arguments.subList(next + 1, arguments.size()) : List.of());
    }

    String text(String name) {
        return values.getOrDefault(name, List.of("")).getLast();
    }

    boolean isOn(String name) {
        return text(name).equals("true");
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /// A value that is a list with commas.
    List<String> names(String name) {
        var text = text(name);
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }

    Optional<Duration> timeout() {
        var text = text("timeout");
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(Durations.parse(text)).filter(limit -> !limit.isZero());
    }
}
