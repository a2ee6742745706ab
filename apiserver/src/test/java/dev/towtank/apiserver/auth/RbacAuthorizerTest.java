package dev.towtank.apiserver.auth;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.key;
import static dev.towtank.apiserver.Objects.put;
import static dev.towtank.apiserver.Objects.remove;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.LogicalCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RbacAuthorizerTest {

    private static final String RBAC = ".rbac.authorization.k8s.io";
    private static final LogicalCluster OTHER = new LogicalCluster("other");

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final RbacAuthorizer rbac = new RbacAuthorizer(store, BootstrapPolicy.standard());

    private boolean may(User user, LogicalCluster cluster, String verb, String what, String namespace, String name) {
        return decide(user, cluster, verb, what, namespace, name).allowed();
    }

    /// @param what as in `kubectl auth can-i`: `pods`, `deployments.apps`, `pods/log`
    private Authorizer.Decision decide(
            User user, LogicalCluster cluster, String verb, String what, String namespace, String name) {
        int slash = what.indexOf('/');
        var resource = slash < 0 ? what : what.substring(0, slash);
        int dot = resource.indexOf('.');
        var target = new Target(
                dot < 0 ? "" : resource.substring(dot + 1),
                "v1",
                dot < 0 ? resource : resource.substring(0, dot),
                namespace,
                name,
                slash < 0 ? "" : what.substring(slash + 1));
        return rbac.decide(new Authorizer.OnResource(user, cluster, verb, target));
    }

    private boolean mayGet(User user, String path) {
        return rbac.decide(new Authorizer.OnPath(user, LogicalCluster.DEFAULT, "get", path))
                .allowed();
    }

    private void role(String namespace, String name, String rules) {
        put(
                store,
                "roles" + RBAC,
                "{'metadata': {'namespace': '%s', 'name': '%s'}, 'rules': %s}".formatted(namespace, name, rules));
    }

    private void clusterRole(String name, String rules) {
        put(store, "clusterroles" + RBAC, "{'metadata': {'name': '%s'}, 'rules': %s}".formatted(name, rules));
    }

    private void bind(String namespace, String name, String roleKind, String role, String subjects) {
        put(store, "rolebindings" + RBAC, """
                {'metadata': {'namespace': '%s', 'name': '%s'}, 'roleRef': {'kind': '%s', 'name': '%s'}, 'subjects': %s}""".formatted(namespace, name, roleKind, role, subjects));
    }

    private void bindEverywhere(String name, String role, String subjects) {
        put(store, "clusterrolebindings" + RBAC, """
                {'metadata': {'name': '%s'}, 'roleRef': {'kind': 'ClusterRole', 'name': '%s'}, 'subjects': %s}""".formatted(name, role, subjects));
    }

    private static final User JANE = User.of("jane", User.ALL_AUTHENTICATED);

    /// Two tenants, each with a namespace: blue's developer edits, red's only views; neither sees the other's.
    @Test
    void keepsTenantsApartInEveryCell() {
        bind("blue", "developers", "ClusterRole", "edit", "[{'kind': 'Group', 'name': 'blue'}]");
        bind("red", "auditors", "ClusterRole", "view", "[{'kind': 'User', 'name': 'ruth'}]");
        var expected = """
                ben  blue pods              : get list watch create update patch delete deletecollection
                ben  blue secrets           : get list watch create update patch delete deletecollection
                ben  blue deployments.apps  : get list watch create update patch delete deletecollection
                ben  blue pods/log          : get list watch
                ben  blue pods/exec         : get list watch create update patch delete deletecollection
                ben  blue resourcequotas    : get list watch
                ben  blue roles.rbac.authorization.k8s.io :
                ben  red  pods              :
                ben  red  secrets           :
                ben  red  deployments.apps  :
                ben  red  pods/log          :
                ben  red  pods/exec         :
                ben  red  resourcequotas    :
                ben  red  roles.rbac.authorization.k8s.io :
                ruth red  pods              : get list watch
                ruth red  secrets           :
                ruth red  deployments.apps  : get list watch
                ruth red  pods/log          : get list watch
                ruth red  pods/exec         :
                ruth red  resourcequotas    : get list watch
                ruth red  roles.rbac.authorization.k8s.io :
                ruth blue pods              :
                ruth blue secrets           :
                ruth blue deployments.apps  :
                ruth blue pods/log          :
                ruth blue pods/exec         :
                ruth blue resourcequotas    :
                ruth blue roles.rbac.authorization.k8s.io :
                """;
        var users = List.of(User.of("ben", "blue"), User.of("ruth", "red"));
        var verbs = List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
        for (var line : expected.lines().toList()) {
            var row = line.substring(0, line.indexOf(" :")).split(" +", -1);
            var user = users.stream()
                    .filter(each -> each.name().equals(row[0]))
                    .findFirst()
                    .orElseThrow();
            var allowed = new ArrayList<String>();
            for (var verb : verbs) {
                if (may(user, LogicalCluster.DEFAULT, verb, row[2], row[1], "x")) {
                    allowed.add(verb);
                }
                assertThat(may(user, OTHER, verb, row[2], row[1], "x")).isFalse();
                assertThat(may(user, LogicalCluster.DEFAULT, verb, row[2], "", "x"))
                        .isFalse();
            }
            assertThat(String.join(" ", allowed))
                    .as(line)
                    .isEqualTo(line.substring(line.indexOf(" :") + 2).strip());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "get, pods, web, true",
        "list, pods, '', true",
        "delete, pods, web, false",
        "get, pods/log, web, true",
        "get, pods/status, web, false",
        "get, deployments.apps/scale, web, true",
        "get, deployments.apps, web, false",
        "get, configmaps, settings, true",
        "get, configmaps, other, false",
        "list, configmaps, '', false",
        "create, jobs.batch, '', true",
        "patch, jobs.batch/status, x, true",
        "get, secrets, x, false"
    })
    void matchesRules(String verb, String what, String name, boolean allowed) {
        role("default", "mixed", """
                [{'verbs': ['get', 'list'], 'apiGroups': [''], 'resources': ['pods', 'pods/log']},
                 {'verbs': ['get'], 'apiGroups': ['*'], 'resources': ['*/scale']},
                 {'verbs': ['get', 'list'], 'apiGroups': [''], 'resources': ['configmaps'], 'resourceNames': ['settings']},
                 {'verbs': ['*'], 'apiGroups': ['batch'], 'resources': ['*']}]""");
        bind("default", "b", "Role", "mixed", "[{'kind': 'User', 'name': 'jane'}]");

        assertThat(may(JANE, LogicalCluster.DEFAULT, verb, what, "default", name))
                .isEqualTo(allowed);
    }

    @Test
    void matchesServiceAccountsWithAndWithoutNamespace() {
        role("ci", "r", "[{'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods']}]");
        bind("ci", "own", "Role", "r", "[{'kind': 'ServiceAccount', 'name': 'builder'}]");
        bind("ci", "foreign", "Role", "r", "[{'kind': 'ServiceAccount', 'name': 'agent', 'namespace': 'tools'}]");

        assertThat(may(User.of("system:serviceaccount:ci:builder"), LogicalCluster.DEFAULT, "get", "pods", "ci", "x"))
                .isTrue();
        assertThat(may(User.of("system:serviceaccount:tools:agent"), LogicalCluster.DEFAULT, "get", "pods", "ci", "x"))
                .isTrue();
        assertThat(may(User.of("system:serviceaccount:ci:agent"), LogicalCluster.DEFAULT, "get", "pods", "ci", "x"))
                .isFalse();
    }

    @Test
    void bindsAClusterRoleInOneNamespaceOnly() {
        clusterRole("reader", "[{'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods', 'nodes']}]");
        bind("a", "b", "ClusterRole", "reader", "[{'kind': 'User', 'name': 'jane'}]");

        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "a", "x")).isTrue();
        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "b", "x")).isFalse();
        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "nodes", "", "x")).isFalse();

        bindEverywhere("b", "reader", "[{'kind': 'User', 'name': 'jane'}]");
        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "b", "x")).isTrue();
        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "nodes", "", "x")).isTrue();
    }

    @Test
    void countsEveryCommittedChangeAtOnce() {
        role("default", "r", "[{'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods']}]");
        for (int i = 0; i < 50; i++) {
            assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "default", "x"))
                    .isFalse();
            bind("default", "b", "Role", "r", "[{'kind': 'User', 'name': 'jane'}]");
            assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "default", "x"))
                    .isTrue();
            remove(store, key("rolebindings" + RBAC, "default", "b"));
        }
        bind("default", "b", "Role", "r", "[{'kind': 'User', 'name': 'jane'}]");
        role("default", "r", "[]");
        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "default", "x"))
                .isFalse();
    }

    @Test
    void forgetsADroppedCluster() {
        put(store, OTHER, "clusterrolebindings" + RBAC, json("""
                {'metadata': {'name': 'b'}, 'roleRef': {'kind': 'ClusterRole', 'name': 'cluster-admin'},
                 'subjects': [{'kind': 'User', 'name': 'jane'}]}"""));
        assertThat(may(JANE, OTHER, "delete", "nodes", "", "x")).isTrue();
        assertThat(may(JANE, LogicalCluster.DEFAULT, "delete", "nodes", "", "x"))
                .isFalse();
        store.drop(OTHER);
        assertThat(may(JANE, OTHER, "delete", "nodes", "", "x")).isFalse();
    }

    @Test
    void allowsMastersEverything() {
        var root = User.of("root", User.MASTERS);
        assertThat(may(root, OTHER, "delete", "anything.example.com", "x", "y")).isTrue();
        assertThat(mayGet(root, "/anything")).isTrue();
    }

    @Test
    void letsEverybodyDiscoverAndAskAboutThemselves() {
        assertThat(mayGet(JANE, "/apis/apps/v1")).isTrue();
        assertThat(mayGet(JANE, "/openapi/v3")).isTrue();
        assertThat(mayGet(JANE, "/metrics")).isFalse();
        assertThat(mayGet(User.ANONYMOUS, "/healthz")).isTrue();
        assertThat(mayGet(User.ANONYMOUS, "/apis")).isFalse();
        var asks = List.of(
                "selfsubjectaccessreviews.authorization.k8s.io",
                "selfsubjectrulesreviews.authorization.k8s.io",
                "selfsubjectreviews.authentication.k8s.io");
        for (var what : asks) {
            assertThat(may(JANE, LogicalCluster.DEFAULT, "create", what, "", ""))
                    .isTrue();
            assertThat(may(User.ANONYMOUS, LogicalCluster.DEFAULT, "create", what, "", ""))
                    .isFalse();
        }
    }

    @Test
    void aggregatesRolesByTheirLabels() {
        put(store, "clusterroles" + RBAC, """
                {'metadata': {'name': 'pipelines-edit', 'labels': {'rbac.authorization.k8s.io/aggregate-to-edit': 'true'}},
                 'rules': [{'verbs': ['create'], 'apiGroups': ['tekton.dev'], 'resources': ['pipelineruns']}]}""");
        bind("default", "b", "ClusterRole", "edit", "[{'kind': 'User', 'name': 'jane'}]");
        bind("default", "c", "ClusterRole", "admin", "[{'kind': 'User', 'name': 'adam'}]");

        assertThat(may(JANE, LogicalCluster.DEFAULT, "create", "pipelineruns.tekton.dev", "default", ""))
                .isTrue();
        assertThat(may(JANE, LogicalCluster.DEFAULT, "create", "roles" + RBAC, "default", ""))
                .isFalse();
        assertThat(may(User.of("adam"), LogicalCluster.DEFAULT, "create", "pipelineruns.tekton.dev", "default", ""))
                .isTrue();
        assertThat(may(User.of("adam"), LogicalCluster.DEFAULT, "create", "roles" + RBAC, "default", ""))
                .isTrue();
        assertThat(may(User.of("adam"), LogicalCluster.DEFAULT, "get", "pods", "default", "x"))
                .isTrue();

        var shown = rbac.shown(
                LogicalCluster.DEFAULT,
                BootstrapPolicy.standard().clusterRoles().stream()
                        .filter(role -> role.string("metadata", "name").equals("edit"))
                        .findFirst()
                        .orElseThrow());
        assertThat(shown.array("rules").toString()).contains("pipelineruns").contains("pods/exec");
    }

    @Test
    void survivesRolesThatAggregateEachOther() {
        put(store, "clusterroles" + RBAC, """
                {'metadata': {'name': 'a', 'labels': {'x': 'y'}},
                 'aggregationRule': {'clusterRoleSelectors': [{'matchLabels': {'x': 'y'}}]}, 'rules': []}""");
        put(store, "clusterroles" + RBAC, """
                {'metadata': {'name': 'b', 'labels': {'x': 'y'}},
                 'aggregationRule': {'clusterRoleSelectors': [{'matchLabels': {'x': 'y'}}]}, 'rules': []}""");
        bindEverywhere("ab", "a", "[{'kind': 'User', 'name': 'jane'}]");
        assertThat(may(JANE, LogicalCluster.DEFAULT, "get", "pods", "a", "x")).isFalse();
    }

    @Test
    void prefersAStoredRoleToTheBuiltInOne() {
        bindEverywhere("viewers", "view", "[{'kind': 'User', 'name': 'jane'}]");
        assertThat(may(JANE, LogicalCluster.DEFAULT, "list", "pods", "x", "")).isTrue();
        clusterRole("view", "[]");
        assertThat(may(JANE, LogicalCluster.DEFAULT, "list", "pods", "x", "")).isFalse();
        remove(store, key("clusterroles" + RBAC, "", "view"));
        assertThat(may(JANE, LogicalCluster.DEFAULT, "list", "pods", "x", "")).isTrue();
    }

    @Test
    void saysWhichBindingAllowedIt() {
        bind("default", "b", "ClusterRole", "view", "[{'kind': 'ServiceAccount', 'name': 'reader'}]");
        var user = User.of("system:serviceaccount:default:reader");
        assertThat(decide(user, LogicalCluster.DEFAULT, "list", "pods", "default", "")
                        .reason())
                .isEqualTo("RBAC: allowed by RoleBinding \"b/default\" of ClusterRole \"view\" to ServiceAccount"
                        + " \"reader/default\"");
    }

    @Test
    void saysWhichRoleIsMissing() {
        bind("default", "b", "Role", "none", "[{'kind': 'User', 'name': 'jane'}]");
        assertThat(decide(JANE, LogicalCluster.DEFAULT, "list", "pods", "default", "")
                        .reason())
                .isEqualTo("RBAC: role.rbac.authorization.k8s.io \"none\" not found");
        bindEverywhere("c", "gone", "[{'kind': 'User', 'name': 'jane'}]");
        assertThat(decide(JANE, LogicalCluster.DEFAULT, "list", "pods", "default", "")
                        .reason())
                .isEqualTo("RBAC: [clusterrole.rbac.authorization.k8s.io \"gone\" not found,"
                        + " role.rbac.authorization.k8s.io \"none\" not found]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "list   |                | ''  | default | ''    | pods is forbidden: User \"jane\" cannot list resource \"pods\" in API group \"\" in the namespace \"default\"",
                "list   |                | ''  | ''      | ''    | pods is forbidden: User \"jane\" cannot list resource \"pods\" in API group \"\" at the cluster scope",
                "get    |                | ''  | default | x     | pods \"x\" is forbidden: User \"jane\" cannot get resource \"pods\" in API group \"\" in the namespace \"default\"",
                "get    |                | log | default | x     | pods \"x\" is forbidden: User \"jane\" cannot get resource \"pods/log\" in API group \"\" in the namespace \"default\"",
                "create | metrics.k8s.io | ''  | a<b     | ''    | pods.metrics.k8s.io is forbidden: User \"jane\" cannot create resource \"pods\" in API group \"metrics.k8s.io\" in the namespace \"a&lt;b\"",
            })
    void tellsADenialInKubernetesWords(
            String verb, String group, String subresource, String namespace, String name, String text) {
        var target = new Target(group == null ? "" : group, "v1", "pods", namespace, name, subresource);
        var error = Forbidden.error(new Authorizer.OnResource(JANE, LogicalCluster.DEFAULT, verb, target), "");
        assertThat(error.text()).isEqualTo(text);
        assertThat(error.code()).isEqualTo(403);
    }

    @Test
    void tellsADeniedPathInKubernetesWords() {
        var attempt = new Authorizer.OnPath(User.of("x"), LogicalCluster.DEFAULT, "get", "/x");
        assertThat(Forbidden.error(attempt, "").text()).isEqualTo("forbidden: User \"x\" cannot get path \"/x\"");
        assertThat(Forbidden.error(attempt, "because").text())
                .isEqualTo("forbidden: User \"x\" cannot get path \"/x\": because");
    }
}
