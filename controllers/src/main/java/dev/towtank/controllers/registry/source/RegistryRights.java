package dev.towtank.controllers.registry.source;

import dev.towtank.cluster.Cluster;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Who may pull and push what.
public interface RegistryRights {

    /// Somebody who has shown a token.
    record Caller(String user, List<String> groups) {
        public Caller {
            groups = List.copyOf(groups);
        }
    }

    /// @param header `Authorization`: a token as it is, or as a password beside any name
    Optional<Caller> caller(String header);

    boolean mayPull(Caller caller, String namespace);

    boolean mayPush(Caller caller, String namespace);

    /// As the API server answers.
    static RegistryRights of(Cluster cluster, InstantSource clock) {
        return new ReviewedRights(cluster, clock);
    }
}
