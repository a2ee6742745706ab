package dev.towtank.apiserver.audit;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request that is over. Made on the thread that served it, so it only holds on to what is there already.
///
/// @param verb as in RBAC; for paths that are no resource, the method in lower case
/// @param target null for paths that are no resource
public record AuditEvent(
        String id,
        Origin origin,
        Who who,
        LogicalCluster cluster,
        String verb,
        @Nullable Target target,
        Outcome outcome,
        Notes notes,
        Exchange exchange,
        Instant received,
        Instant completed) {

    static final String TRUNCATED = "audit.k8s.io/truncated";

    /// Nothing of these is ever written down, whatever the level: they are, or may be, secrets.
    private static final Set<GroupResource> SENSITIVE = Set.of(
            new GroupResource("", "secrets"),
            new GroupResource("", "configmaps"),
            new GroupResource("", "serviceaccounts/token"),
            new GroupResource("authentication.k8s.io", "tokenreviews"));

    /// Where a request came from.
    ///
    /// @param uri path and query; empty for callers inside the process
    /// @param address empty for callers inside the process
    public record Origin(String uri, String address, String agent) {
        public static final Origin INSIDE = new Origin("", "", "towtank");
    }

    /// @param user who proved it; empty when nobody did
    /// @param impersonated who the request counts for instead
    public record Who(Optional<User> user, Optional<User> impersonated) {
        public static final Who UNKNOWN = new Who(Optional.empty(), Optional.empty());

        public static Who of(User user) {
            return new Who(Optional.of(user), Optional.empty());
        }
    }

    /// @param error null where there was none
    public record Outcome(int code, @Nullable StatusError error) {}

    /// What was sent, and the object that came back.
    public record Exchange(Body request, @Nullable Content response) {
        public static final Exchange NOTHING = new Exchange(Body.None.NONE, null);

        /// How much memory this holds on to, about.
        int size() {
            var answer = response;
            int sent = switch (request) {
                case Body.None _ -> 0;
                case Body.Text text -> text.bytes().length;
                case Body.Tree _ -> TREE_SIZE;
            };
            return sent + (answer == null ? 0 : answer.bytes().length);
        }

        private static final int TREE_SIZE = 4096;
    }

    boolean isSensitive() {
        return target != null && isSensitive(target);
    }

    static boolean isSensitive(Target target) {
        var name = target.subresource().equals("token") ? target.resource() + "/token" : target.resource();
        return SENSITIVE.contains(new GroupResource(target.group(), name));
    }

    /// For when there is no room for what it carries.
    AuditEvent withoutExchange() {
        notes.put(TRUNCATED, "true");
        return new AuditEvent(
                id, origin, who, cluster, verb, target, outcome, notes, Exchange.NOTHING, received, completed);
    }
}
