package dev.towtank.apiserver.auth;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AccessReviewsTest {

    private static final User JANE = User.of("jane", User.ALL_AUTHENTICATED);

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final RbacAuthorizer rbac = new RbacAuthorizer(store, new BootstrapPolicy(List.of(), List.of()));
    private final AccessReviews reviews = new AccessReviews(rbac, rbac::rules);

    @BeforeEach
    void letJaneReadPods() {
        put(store, "clusterroles.rbac.authorization.k8s.io", """
                {'metadata': {'name': 'reader'}, 'rules': [
                  {'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods'], 'resourceNames': ['web']},
                  {'verbs': ['get'], 'nonResourceURLs': ['/metrics']}]}""");
        put(store, "clusterrolebindings.rbac.authorization.k8s.io", """
                {'metadata': {'name': 'readers'}, 'roleRef': {'kind': 'ClusterRole', 'name': 'reader'},
                 'subjects': [{'kind': 'User', 'name': 'jane'}]}""");
    }

    @Test
    void tellsCallersWhatTheyMayDo() {
        var answer = reviews.selfSubjectAccessReview(JANE, LogicalCluster.DEFAULT, json("""
                {'spec': {'resourceAttributes': {'verb': 'get', 'resource': 'pods', 'namespace': 'a', 'name': 'web'}}}"""));
        assertThat(answer.string("kind")).isEqualTo("SelfSubjectAccessReview");
        assertThat(answer.string("spec", "resourceAttributes", "name")).isEqualTo("web");
        assertThat(answer.flag("status", "allowed")).isTrue();
        assertThat(answer.string("status", "reason"))
                .isEqualTo(
                        "RBAC: allowed by ClusterRoleBinding \"readers\" of ClusterRole \"reader\" to User \"jane\"");
        assertThat(reviews.selfSubjectAccessReview(
                                JANE,
                                LogicalCluster.DEFAULT,
                                json("{'spec': {'nonResourceAttributes': {'verb': 'get', 'path': '/metrics'}}}"))
                        .flag("status", "allowed"))
                .isTrue();
        assertThat(reviews.selfSubjectAccessReview(
                                JANE,
                                LogicalCluster.DEFAULT,
                                json("{'spec': {'nonResourceAttributes': {'verb': 'get', 'path': '/flagz'}}}"))
                        .object("status"))
                .isEqualTo(json("{'allowed': false}"));
    }

    @Test
    void tellsWhatOthersMayDo() {
        var spec = "'resourceAttributes': {'verb': 'get', 'resource': 'pods', 'namespace': 'a', 'name': 'web'}";
        assertThat(reviews.subjectAccessReview(LogicalCluster.DEFAULT, json("{'spec': {'user': 'jane', " + spec + "}}"))
                        .flag("status", "allowed"))
                .isTrue();
        assertThat(reviews.subjectAccessReview(
                                LogicalCluster.DEFAULT, json("{'spec': {'groups': ['x'], " + spec + "}}"))
                        .flag("status", "allowed"))
                .isFalse();
        assertThat(reviews.localSubjectAccessReview(
                                LogicalCluster.DEFAULT,
                                "a",
                                json("{'metadata': {'namespace': 'a'}, 'spec': {'user': 'jane', " + spec + "}}"))
                        .flag("status", "allowed"))
                .isTrue();
    }

    @Test
    void refusesQuestionsThatMakeNoSense() {
        assertThatThrownBy(() -> reviews.selfSubjectAccessReview(JANE, LogicalCluster.DEFAULT, json("{'spec': {}}")))
                .hasMessage(".authorization.k8s.io \"\" is invalid: spec.resourceAttributes: Invalid value: null:"
                        + " exactly one of nonResourceAttributes or resourceAttributes must be specified");
        assertThatThrownBy(() -> reviews.subjectAccessReview(
                        LogicalCluster.DEFAULT, json("{'spec': {'resourceAttributes': {'verb': 'get'}}}")))
                .hasMessage(".authorization.k8s.io \"\" is invalid: spec.user: Invalid value: \"\":"
                        + " at least one of user or group must be specified");
        assertThatThrownBy(() -> reviews.localSubjectAccessReview(LogicalCluster.DEFAULT, "a", json("""
                        {'metadata': {'namespace': 'a'}, 'spec': {'user': 'x', 'resourceAttributes': {'namespace': 'b'}}}""")))
                .hasMessage(".authorization.k8s.io \"\" is invalid:"
                        + " spec.resourceAttributes.namespace: Invalid value: \"b\": must match metadata.namespace");
        assertThatThrownBy(() -> reviews.subjectAccessReview(LogicalCluster.DEFAULT, json("""
                        {'metadata': {'name': 'n'}, 'spec': {'user': 'x', 'resourceAttributes': {'verb': 'get'}}}""")))
                .hasMessageContaining("metadata: Invalid value: {\"name\":\"n\"}: must be empty");
        assertThatThrownBy(() -> reviews.selfSubjectRulesReview(JANE, LogicalCluster.DEFAULT, json("{}")))
                .hasMessage("no namespace on request");
    }

    @Test
    void listsTheRulesOfTheCaller() {
        var answer = reviews.selfSubjectRulesReview(JANE, LogicalCluster.DEFAULT, json("{'spec': {'namespace': 'a'}}"));
        assertThat(answer.object("status")).isEqualTo(json("""
                {'resourceRules': [{'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods'], 'resourceNames': ['web']}],
                 'nonResourceRules': [{'verbs': ['get'], 'nonResourceURLs': ['/metrics']}], 'incomplete': false}"""));
    }
}
