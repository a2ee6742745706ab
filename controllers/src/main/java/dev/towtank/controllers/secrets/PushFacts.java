package dev.towtank.controllers.secrets;

import dev.towtank.controllers.secrets.reading.RemoteServer;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/// All that is to be known about a PushSecret.
///
/// @param sources what is pushed
/// @param stores where to; those that are left to another installation are not among them
/// @param old stores that something was pushed to before
/// @param templates what `templateFrom` names
record PushFacts(
        Sources sources, List<Store> stores, List<Store> old, Map<String, NavigableMap<String, byte[]>> templates) {

    sealed interface Sources {
        record Found(List<Source> all) implements Sources {
            public Found {
                all = List.copyOf(all);
            }
        }

        /// The Secret is not there.
        record Missing() implements Sources {}

        record Unusable(String problem) implements Sources {}

        /// An answer is still on its way.
        record Awaited() implements Sources {}
    }

    /// A Secret, or what a generator made in place of one.
    record Source(
            String type,
            NavigableMap<String, byte[]> data,
            Map<String, String> labels,
            Map<String, String> annotations) {

        /// Values are nobody's business.
        @Override
        public String toString() {
            return "values of " + data.keySet();
        }
    }

    /// @param key such as `SecretStore/name`
    /// @param problem why it cannot be used; empty where it can
    /// @param server where it leads, where that is another Kubernetes; its own otherwise
    /// @param present the Secrets there that matter, by name
    record Store(
            String key,
            String problem,
            boolean isAwaited,
            String namespace,
            Optional<RemoteServer> server,
            Map<String, Present> present) {

        static Store unusable(String key, String problem) {
            return new Store(key, problem, false, "", Optional.empty(), Map.of());
        }

        static Store awaited(String key) {
            return new Store(key, "", true, "", Optional.empty(), Map.of());
        }

        String name() {
            return key.substring(key.indexOf('/') + 1);
        }
    }

    /// @param mayWrite why it may not be made or changed; empty where it may
    /// @param mayDelete likewise
    record Present(Optional<Resource> secret, String mayWrite, String mayDelete) {}

    PushFacts {
        stores = List.copyOf(stores);
        old = List.copyOf(old);
        templates = Map.copyOf(templates);
    }

    boolean isAwaited() {
        return sources instanceof Sources.Awaited
                || stores.stream().anyMatch(Store::isAwaited)
                || old.stream().anyMatch(Store::isAwaited);
    }

    /// Values are nobody's business.
    @Override
    public String toString() {
        return "facts, with " + sources;
    }
}
