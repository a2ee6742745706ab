package dev.towtank.model.kinds.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.kinds.KindTrial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RbacTest {

    private static final KindTrial ROLE = new KindTrial(Roles.KIND);
    private static final KindTrial CLUSTER_ROLE = new KindTrial(ClusterRoles.KIND);
    private static final KindTrial BINDING = new KindTrial(RoleBindings.KIND);
    private static final KindTrial CLUSTER_BINDING = new KindTrial(ClusterRoleBindings.KIND);

    private static final String BOUND = """
            metadata: {name: b, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            roleRef: {kind: ClusterRole, name: view}
            subjects:
            - {kind: User, name: ann}
            - {kind: Group, name: devs}
            - {kind: ServiceAccount, name: bot, namespace: ci}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {apiGroups: [""], resources: [pods]} | rules[0].verbs: Required value: verbs must contain at least one value
            {verbs: [get], resources: [pods]} | rules[0].apiGroups: Required value: resource rules must supply at least one api group
            {verbs: [get], apiGroups: [""]} | rules[0].resources: Required value: resource rules must supply at least one resource
            {verbs: [get], nonResourceURLs: [/healthz]} | rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs
            """)
    void roleRulesAreComplete(String rule, String message) {
        assertThat(ROLE.errors("{metadata: {name: r}, rules: [" + rule + "]}")).containsExactly(message);
    }

    @Test
    void clusterRolesMayNameUrls() {
        assertThat(CLUSTER_ROLE.errors("{rules: [{verbs: [get], nonResourceURLs: [/healthz]}]}"))
                .isEmpty();
        assertThat(CLUSTER_ROLE.errors("{rules: [{verbs: [get], nonResourceURLs: [/healthz], resources: [pods]}]}"))
                .containsExactly("rules[0].nonResourceURLs: Invalid value: [\"/healthz\"]: rules cannot apply to both"
                        + " regular resources and non-resource URLs");
    }

    @Test
    void aggregationNeedsSelectors() {
        assertThat(CLUSTER_ROLE.errors("{aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}}"))
                .isEmpty();
        assertThat(CLUSTER_ROLE.errors("{aggregationRule: {}}"))
                .containsExactly("aggregationRule.clusterRoleSelectors: Required value: at least one"
                        + " clusterRoleSelector required if aggregationRule is non-nil");
    }

    @Test
    void bindingsAreFilledIn() {
        var stored = BINDING.stored(BOUND);

        assertThat(stored.string("roleRef", "apiGroup")).isEqualTo("rbac.authorization.k8s.io");
        assertThat(stored.objects("subjects"))
                .extracting(subject -> subject.string("apiGroup"))
                .containsExactly("rbac.authorization.k8s.io", "rbac.authorization.k8s.io", "");
        assertThat(BINDING.errors(BOUND)).isEmpty();
        assertThat(CLUSTER_BINDING.errors(BOUND)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {roleRef: {kind: Pod, name: x}} | roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"
            {roleRef: {kind: Role, name: x, apiGroup: a.io}} | roleRef.apiGroup: Unsupported value: "a.io": supported values: "rbac.authorization.k8s.io"
            {roleRef: {kind: Role}} | roleRef.name: Required value
            {roleRef: {kind: Role, name: a/b}} | roleRef.name: Invalid value: "a/b": may not contain '/'
            {roleRef: {kind: Role, name: x}, subjects: [{kind: Robot, name: r}]} | subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"
            {roleRef: {kind: Role, name: x}, subjects: [{kind: User, name: ""}]} | subjects[0].name: Required value
            {roleRef: {kind: Role, name: x}, subjects: [{kind: User, name: a, apiGroup: b}]} | subjects[0].apiGroup: Unsupported value: "b": supported values: "rbac.authorization.k8s.io"
            {roleRef: {kind: Role, name: x}, subjects: [{kind: ServiceAccount, name: a, apiGroup: b}]} | subjects[0].apiGroup: Unsupported value: "b": supported values: ""
            """)
    void bindingsNameARoleAndSubjects(String binding, String message) {
        assertThat(BINDING.errors(binding)).containsExactly(message);
    }

    @Test
    void clusterBindingsNameNamespacesAndClusterRolesOnly() {
        assertThat(CLUSTER_BINDING.errors(
                        "{roleRef: {kind: Role, name: x}, subjects: [{kind: ServiceAccount, name: a}]}"))
                .containsExactly(
                        "roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\"",
                        "subjects[0].namespace: Required value");
    }

    @Test
    void bindingsNeverChangeTheirRole() {
        assertThat(BINDING.updateErrors(BOUND, BOUND.replace("ann", "bob"))).isEmpty();
        assertThat(BINDING.updateErrors(BOUND, BOUND.replace("name: view", "name: admin")))
                .containsExactly("roleRef: Invalid value: {\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":"
                        + "\"ClusterRole\",\"Name\":\"admin\"}: cannot change roleRef");
    }

    @Test
    void bindingsShowWhoIsBound() {
        assertThat(BINDING.headings()).containsExactly("Name", "Role", "Age", "Users", "Groups", "ServiceAccounts");
        assertThat(BINDING.row(BOUND, "2026-01-01T00:01:00Z"))
                .containsExactly("b", "ClusterRole/view", "60s", "ann", "devs", "ci/bot");
    }

    @Test
    void rolesShowWhenTheyWereMade() {
        assertThat(ROLE.headings()).containsExactly("Name", "Created At");
        assertThat(ROLE.row(BOUND, "2026-01-01T00:01:00Z")).containsExactly("b", "2026-01-01T00:00:00Z");
    }

    @Test
    void namesMayBeAnyPartOfAPath() {
        assertThat(ClusterRoles.KIND.rules().nameRule().check("system:node", false))
                .isEmpty();
        assertThat(ClusterRoles.KIND.rules().allowsCreateOnUpdate()).isTrue();
    }
}
