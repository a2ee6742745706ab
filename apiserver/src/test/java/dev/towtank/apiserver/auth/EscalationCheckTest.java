package dev.towtank.apiserver.auth;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EscalationCheckTest {

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final User ADAM = User.of("adam", "team", User.ALL_AUTHENTICATED);

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final EscalationCheck check = new EscalationCheck(new RbacAuthorizer(store, BootstrapPolicy.standard()));

    @BeforeEach
    void makeAdamAdministratorOfOneNamespace() {
        put(store, "rolebindings." + RBAC, """
                {'metadata': {'namespace': 'blue', 'name': 'admins'}, 'subjects': [{'kind': 'User', 'name': 'adam'}],
                 'roleRef': {'kind': 'ClusterRole', 'name': 'admin', 'apiGroup': 'rbac.authorization.k8s.io'}}""");
    }

    private void writeRole(User user, String rules, Json.@Nullable Obj old) {
        var role = json("{'metadata': {'namespace': 'blue', 'name': 'r'}, 'rules': " + rules + "}");
        check.onRole(user, LogicalCluster.DEFAULT, new Target(RBAC, "v1", "roles", "blue", "", ""), role, old);
    }

    private void bind(User user, String namespace, String kind, String name) {
        var binding = json("""
                {'metadata': {'name': 'b'}, 'subjects': [{'kind': 'User', 'name': 'eve'}],
                 'roleRef': {'kind': '%s', 'name': '%s', 'apiGroup': 'rbac.authorization.k8s.io'}}""".formatted(kind, name));
        var plural = namespace.isEmpty() ? "clusterrolebindings" : "rolebindings";
        check.onBinding(user, LogicalCluster.DEFAULT, new Target(RBAC, "v1", plural, namespace, "", ""), binding, null);
    }

    @Test
    void letsUsersGrantWhatTheyHave() {
        assertThatCode(() -> writeRole(
                        ADAM,
                        "[{'verbs': ['get', 'create'], 'apiGroups': [''], 'resources': ['pods', 'pods/exec']}]",
                        null))
                .doesNotThrowAnyException();
        assertThatCode(() -> bind(ADAM, "blue", "ClusterRole", "edit")).doesNotThrowAnyException();
    }

    @Test
    void refusesToGrantWhatTheyLack() {
        assertThatThrownBy(() -> writeRole(ADAM, """
                        [{'verbs': ['get', 'delete'], 'apiGroups': ['', 'apps'], 'resources': ['nodes', 'pods']},
                         {'verbs': ['get'], 'apiGroups': [''], 'resources': ['limitranges'], 'resourceNames': ['a']},
                         {'verbs': ['delete'], 'apiGroups': [''], 'resources': ['limitranges'], 'resourceNames': ['a']},
                         {'verbs': ['get'], 'nonResourceURLs': ['/metrics']}]""", null)).hasMessage("""
                        roles.rbac.authorization.k8s.io "r" is forbidden: user "adam" (groups=["system:authenticated" "team"]) \
                        is attempting to grant RBAC permissions not currently held:
                        {APIGroups:[""], Resources:["limitranges"], ResourceNames:["a"], Verbs:["delete"]}
                        {APIGroups:[""], Resources:["nodes"], Verbs:["get" "delete"]}
                        {APIGroups:["apps"], Resources:["nodes"], Verbs:["get" "delete"]}
                        {APIGroups:["apps"], Resources:["pods"], Verbs:["get" "delete"]}
                        {NonResourceURLs:["/metrics"], Verbs:["get"]}""");
        assertThatThrownBy(() -> bind(ADAM, "blue", "ClusterRole", "cluster-admin"))
                .hasMessageStartingWith("rolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"adam\"")
                .hasMessageContaining("{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
        assertThatThrownBy(() -> bind(ADAM, "red", "ClusterRole", "view"))
                .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
        assertThatThrownBy(() -> bind(ADAM, "", "ClusterRole", "view"))
                .hasMessageStartingWith("clusterrolebindings.rbac.authorization.k8s.io \"b\" is forbidden");
    }

    @Test
    void refusesToBindARoleThatIsMissing() {
        assertThatThrownBy(() -> bind(ADAM, "blue", "Role", "none"))
                .hasMessage("roles.rbac.authorization.k8s.io \"none\" not found");
    }

    @Test
    void letsMastersAndThoseWithTheVerbGrantAnything() {
        var everything = "[{'verbs': ['*'], 'apiGroups': ['*'], 'resources': ['*']}]";
        assertThatCode(() -> writeRole(User.of("root", User.MASTERS), everything, null))
                .doesNotThrowAnyException();
        put(store, "roles." + RBAC, """
                {'metadata': {'namespace': 'blue', 'name': 'granter'}, 'rules': [
                  {'verbs': ['escalate'], 'apiGroups': ['rbac.authorization.k8s.io'], 'resources': ['roles']},
                  {'verbs': ['bind'], 'apiGroups': ['rbac.authorization.k8s.io'], 'resources': ['clusterroles'],
                   'resourceNames': ['cluster-admin']}]}""");
        put(store, "rolebindings." + RBAC, """
                {'metadata': {'namespace': 'blue', 'name': 'granters'}, 'subjects': [{'kind': 'Group', 'name': 'team'}],
                 'roleRef': {'kind': 'Role', 'name': 'granter'}}""");
        assertThatCode(() -> writeRole(ADAM, everything, null)).doesNotThrowAnyException();
        assertThatCode(() -> bind(ADAM, "blue", "ClusterRole", "cluster-admin")).doesNotThrowAnyException();
        assertThatThrownBy(() -> bind(ADAM, "blue", "ClusterRole", "system:node"))
                .hasMessageContaining("not currently held");
    }

    @Test
    void keepsAggregationToAdministrators() {
        var role = json("""
                {'metadata': {'name': 'r'}, 'rules': [],
                 'aggregationRule': {'clusterRoleSelectors': [{'matchLabels': {'a': 'b'}}]}}""");
        var target = new Target(RBAC, "v1", "clusterroles", "", "r", "");
        assertThatThrownBy(() -> check.onRole(ADAM, LogicalCluster.DEFAULT, target, role, null))
                .hasMessage(
                        "clusterroles.rbac.authorization.k8s.io \"r\" is forbidden: must have cluster-admin privileges to"
                                + " use the aggregationRule");
    }

    @Test
    void letsGarbageCollectionWriteItsFields() {
        var rules = "[{'verbs': ['*'], 'apiGroups': ['*'], 'resources': ['*']}]";
        var old =
                json("{'metadata': {'namespace': 'blue', 'name': 'r', 'finalizers': ['a/b']}, 'rules': " + rules + "}");
        assertThatCode(() -> writeRole(ADAM, rules, old)).doesNotThrowAnyException();
    }
}
