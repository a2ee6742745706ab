import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Authorizer.OnResource;
import dev.towtank.apiserver.auth.BootstrapPolicy;
import dev.towtank.apiserver.auth.RbacAuthorizer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.util.List;

/// How long one RBAC decision takes among 1,000 bindings, in nanoseconds: `allowed`, by one of them; `denied`, by all; and
/// for somebody who is in every one of them, with a role of its own each, `allowed` by the last and `denied`.
///
/// Run with the server's jars as class path.
final class RbacDecision {

    private static final int BINDINGS = 1000;
    private static final int ROUND = 20_000;

    public static void main(String[] arguments) {
        System.out.println(measure(false, "one-role-each", BINDINGS - 1) + " " + measure(false, "denied", -1) + " "
                + measure(true, "everybody", BINDINGS - 1) + " " + measure(true, "denied", -1));
    }

    /// @param shared whether all bindings are of one user
    /// @param granted which binding allows what is asked, or -1
    private static long measure(boolean shared, String what, int granted) {
        try (var store = JournaledStore.inMemory();
                var authorizer = new RbacAuthorizer(store, BootstrapPolicy.standard())) {
            for (int i = 0; i < BINDINGS; i++) {
                bind(store, i, shared ? "user" : "user-" + i);
            }
            var user = User.of(shared ? "user" : "user-" + (BINDINGS - 1), User.ALL_AUTHENTICATED, "developers");
            var resource = granted < 0 ? "secrets" : "things-" + granted;
            var attempt = new OnResource(
                    user, LogicalCluster.DEFAULT, "get", new Target("", "v1", resource, "default", "x", ""));
            if (authorizer.decide(attempt).allowed() != (granted >= 0)) {
                throw new IllegalStateException(what + " was decided wrongly");
            }
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 20; round++) {
                long from = System.nanoTime();
                for (int i = 0; i < ROUND; i++) {
                    authorizer.decide(attempt);
                }
                best = Math.min(best, (System.nanoTime() - from) / ROUND);
            }
            return best;
        }
    }

    private static void bind(Store store, int i, String user) {
        var role = """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                 "metadata": {"name": "role-%d", "namespace": "default"},
                 "rules": [{"verbs": ["get", "list", "watch"], "apiGroups": [""], "resources": ["things-%d"]}]}""";
        var binding = """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
                 "metadata": {"name": "binding-%d", "namespace": "default"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "role-%d"},
                 "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "%s"}]}""";
        store.commit(List.of(
                create(RbacAuthorizer.ROLES, "role-" + i, role.formatted(i, i)),
                create(RbacAuthorizer.ROLE_BINDINGS, "binding-" + i, binding.formatted(i, i, user))));
    }

    private static Write create(GroupResource resource, String name, String json) {
        return new Write.Create(
                new Key(resource, LogicalCluster.DEFAULT, "default", name), JsonText.parseObject(json));
    }
}
