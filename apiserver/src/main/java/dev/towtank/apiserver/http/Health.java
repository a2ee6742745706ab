package dev.towtank.apiserver.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What must be well for the server to be alive, and what for it to be ready.
///
/// The reasons are shown to anybody who asks: no secrets in them.
public record Health(List<Check> live, List<Check> ready) {

    public static final Health ALWAYS = new Health(List.of(), List.of());

    /// @param problem what is wrong now, or nothing
    public record Check(String name, Supplier<Optional<String>> problem) {}

    private static final Check PING = new Check("ping", Optional::empty);

    public Health {
        live = List.copyOf(live);
        ready = List.copyOf(ready);
    }

    /// What one of the health endpoints looks at.
    List<Check> checks(String endpoint) {
        var found = new ArrayList<Check>(List.of(PING));
        found.addAll(live);
        if (endpoint.equals("readyz")) {
            found.addAll(ready);
        }
        return found;
    }

    Health withReady(Check more) {
        var extended = new ArrayList<>(ready);
        extended.add(more);
        return new Health(live, extended);
    }
}
