package dev.towtank.controllers.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Arguments of a model server: `--name=value` or `--name value`.
final class ServerArguments {

    private ServerArguments() {}

    /// The last one counts.
    static Optional<String> value(List<String> arguments, String name) {
        Optional<String> found = Optional.empty();
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            if (argument.startsWith(name + "=")) {
                found = Optional.of(argument.substring(name.length() + 1));
            } else if (argument.equals(name) && i + 1 < arguments.size()) {
                found = Optional.of(arguments.get(i + 1));
            }
        }
        return found;
    }

    /// The same arguments with another value wherever the name is.
    static List<String> with(List<String> arguments, String name, String value) {
        var changed = new ArrayList<String>();
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            boolean isValue = i > 0 && arguments.get(i - 1).equals(name);
            changed.add(isValue ? value : argument.startsWith(name + "=") ? name + "=" + value : argument);
        }
        return changed;
    }
}
