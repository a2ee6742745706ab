package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.server.FeatureRoles;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.cluster.Feature;
import dev.towtank.model.LogicalCluster;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What features may do is what they say they need, in every logical cluster, and nothing else.
class FeaturesTest {

    private static ApiServer server;

    @BeforeAll
    static void start() throws GeneralSecurityException {
        var keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(256);
        server = new ApiServer(
                JournaledStore.inMemory(),
                keys.generateKeyPair(),
                "PEM",
                "a-token-for-nobody",
                InstantSource.fixed(Instant.EPOCH),
                new Random(1),
                Features.all());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            workloads  | create | pods                | yes
            workloads  | get    | secrets             | no
            workloads  | create | clusterrolebindings | no
            pipelines  | create | pods                | yes
            pipelines  | get    | secrets             | yes
            pipelines  | create | secrets             | no
            pipelines  | delete | deployments         | no
            namespaces | create | configmaps          | yes
            namespaces | get    | secrets             | no
            """)
    void mayDoTheirWorkAndNoMore(String feature, String verb, String resource, String allowed) {
        var group = resource.equals("deployments")
                ? "apps"
                : resource.equals("clusterrolebindings") ? "rbac.authorization.k8s.io" : "";
        var target = new Target(group, "v1", resource, "shop", "", "");

        assertThat(List.of(LogicalCluster.DEFAULT, new LogicalCluster("other")))
                .allSatisfy(cluster -> assertThat(server.authorizer()
                                .decide(new Authorizer.OnResource(
                                        FeatureRoles.identity(feature), cluster, verb, target))
                                .allowed())
                        .isEqualTo(allowed.equals("yes")));
    }

    /// An Event that is told again is counted, and for that it is read.
    @Test
    void mayTellAndCountEvents() {
        var events = new Target("", "v1", "events", "shop", "", "");

        assertThat(Features.all())
                .allSatisfy(feature -> assertThat(List.of("get", "create", "patch"))
                        .allSatisfy(verb -> assertThat(server.authorizer()
                                        .decide(new Authorizer.OnResource(
                                                FeatureRoles.identity(feature.name()),
                                                LogicalCluster.DEFAULT,
                                                verb,
                                                events))
                                        .allowed())
                                .isTrue()));
    }

    @Test
    void haveNamesOfTheirOwn() {
        assertThat(Features.all().stream().map(Feature::name)).doesNotHaveDuplicates();
    }
}
