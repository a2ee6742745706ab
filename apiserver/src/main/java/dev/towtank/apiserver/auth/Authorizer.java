package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.LogicalCluster;

/// Decides whether a user may do something. Deny by default.
public interface Authorizer {

    Decision decide(Attempt attempt);

    /// What a user attempts.
    sealed interface Attempt {
        User user();

        LogicalCluster cluster();

        String verb();
    }

    record OnResource(User user, LogicalCluster cluster, String verb, Target target) implements Attempt {}

    /// A path that is no resource, such as `/metrics`.
    record OnPath(User user, LogicalCluster cluster, String verb, String path) implements Attempt {}

    /// @param reason why, for people; may be empty
    record Decision(boolean allowed, String reason) {

        /// Writes it down for the audit log, as Kubernetes does.
        public void note(Notes notes) {
            notes.put("authorization.k8s.io/decision", allowed ? "allow" : "forbid");
            notes.put("authorization.k8s.io/reason", reason);
        }
    }
}
