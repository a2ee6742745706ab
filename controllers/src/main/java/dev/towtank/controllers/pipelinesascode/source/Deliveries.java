package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.model.BoundedMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What forges have sent lately, by the names that they give to it: they, and proxies before us, send again what they
/// do
/// not know to have arrived.
final class Deliveries {

    private static final int MOST = 10_000;
    private static final List<String> HEADERS =
            List.of("x-github-delivery", "x-gitea-delivery", "x-forgejo-delivery", "x-gitlab-event-uuid");

    private final Map<String, Boolean> seen = BoundedMap.byAge(MOST);

    /// Without a name everything is new.
    boolean isNew(Map<String, String> headers) {
        synchronized (seen) {
            return name(headers).map(name -> seen.put(name, true) == null).orElse(true);
        }
    }

    /// It was not taken, and may come again.
    void forget(Map<String, String> headers) {
        synchronized (seen) {
            name(headers).ifPresent(seen::remove);
        }
    }

    private static Optional<String> name(Map<String, String> headers) {
        return HEADERS.stream()
                .map(header -> headers.getOrDefault(header, ""))
                .filter(value -> !value.isEmpty())
                .findFirst();
    }
}
