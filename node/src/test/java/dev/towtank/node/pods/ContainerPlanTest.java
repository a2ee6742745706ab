package dev.towtank.node.pods;

import static dev.towtank.node.pods.PodWorld.status;
import static dev.towtank.node.pods.PodWorld.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.sandbox.ContainerSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a pod asks for, as the sandbox is told it.
@Timeout(120)
class ContainerPlanTest {

    @TempDir
    private Path root;

    private final PodWorld world = new PodWorld();
    private final PodApi api = world.api;
    private final FakeSandbox sandbox = world.sandbox;

    @BeforeEach
    void open() {
        world.open(root);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static ContainerSpec spec(FakeSandbox sandbox, String pod) throws InterruptedException {
        return sandbox.await(pod + "_a_0").spec();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {runAsNonRoot: true}                | {}             | container has runAsNonRoot and image will run as root
            {runAsNonRoot: true}                | {runAsUser: 0} | container's runAsUser breaks non-root policy
            {runAsNonRoot: true, runAsUser: 0}  | {}             | container's runAsUser breaks non-root policy
            """)
    void refusesRootWhereThePodDoes(String ofPod, String ofContainer, String problem) throws Exception {
        world.pod(
                "web",
                "{securityContext: " + ofPod + ", containers: [{name: a, image: x, securityContext: " + ofContainer
                        + "}]}");

        var blocked = api.await("web", waiting("CreateContainerConfigError"));

        assertThat(status(blocked, "a").string("state", "waiting", "message"))
                .isEqualTo(problem + " (pod: \"web_shop(web)\", container: a)");
    }

    @Test
    void runsAsWhomTheContainerSaysBeforeThePod() throws Exception {
        world.pod("web", """
                {securityContext: {runAsNonRoot: true, runAsUser: 1000, runAsGroup: 2000},
                 containers: [{name: a, image: x, securityContext: {runAsUser: 1001}}]}""");

        assertThat(spec(sandbox, "web").bounds().user())
                .isEqualTo(new ContainerSpec.User(Optional.of(1001), Optional.of(2000), List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            emptyDir: {}                    | {name: v, mountPath: /v}                 | {}                 | false
            'hostPath: {path: %s}'          | {name: v, mountPath: /v}                 | {}                 | true
            'hostPath: {path: %s}'          | {name: v, mountPath: /v, readOnly: true} | {}                 | false
            emptyDir: {}                    | {name: v, mountPath: /v}                 | {privileged: true} | true
            """)
    void isAloneWhereSomeoneInItsPodWritesToTheMachineOrBuilds(String volume, String mount, String other, boolean alone)
            throws Exception {
        var source = volume.formatted(Files.createDirectories(root.resolve("allowed")));
        world.pod("web", """
                {volumes: [{name: v, %s}],
                 containers: [{name: a, image: x}, {name: b, image: x, securityContext: %s, volumeMounts: [%s]}]}
                """.formatted(source, other, mount));

        assertThat(spec(sandbox, "web").bounds().alone()).isEqualTo(alone);
    }

    @Test
    void isInTheGroupsOfItsPod() throws Exception {
        world.pod("web", """
                {securityContext: {fsGroup: 7, supplementalGroups: [8, 7, 9]}, containers: [{name: a, image: x}]}""");

        assertThat(spec(sandbox, "web").bounds().user().groups()).containsExactly(7, 8, 9);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                          | []                                     | true
            {towtank.dev/network: none} | []                                     | false
            {}                          | [{name: TOWTANK_NETWORK, value: none}] | false
            {towtank.dev/network: own}  | [{name: TOWTANK_NETWORK, value: none}] | false
            {}                          | [{name: TEKTON_HERMETIC, value: "1"}]  | true
            """)
    void hasANetworkUnlessItAsksForNone(String annotations, String environment, boolean network) throws Exception {
        world.pod("web", annotations, "{containers: [{name: a, image: x, env: " + environment + "}]}");

        assertThat(spec(sandbox, "web").view().network())
                .isEqualTo(network ? new ContainerSpec.Network.Machine() : new ContainerSpec.Network.None());
    }

    @Test
    void asksForNoMoreNetworkThanItsPodHas() throws Exception {
        world.pod("web", "{containers: [{name: a, image: x, env: [{name: TOWTANK_NETWORK, value: machine}]}]}");

        var blocked = api.await("web", waiting("CreateContainerConfigError"));

        assertThat(status(blocked, "a").string("state", "waiting", "message"))
                .startsWith("the variable TOWTANK_NETWORK of a container can only be none");
    }

    @ParameterizedTest
    @CsvSource({"RuntimeDefault, FILTERED", "Unconfined, ALL"})
    void isFilteredUnlessItIsUnconfined(String profile, ContainerSpec.Calls calls) throws Exception {
        world.pod(
                "web",
                "{securityContext: {seccompProfile: {type: " + profile + "}}, containers: [{name: a, image: x}]}");

        assertThat(spec(sandbox, "web").bounds().calls()).isEqualTo(calls);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {privileged: true}                                            | BUILDING
            {privileged: true, seccompProfile: {type: Unconfined}}        | BUILDING
            {capabilities: {add: [SETFCAP]}}                              | BUILDING
            {capabilities: {add: [NET_ADMIN]}}                            | FILTERED
            {privileged: false}                                           | FILTERED
            """)
    void buildsWhereItAsksForWhatBuildersNeed(String context, ContainerSpec.Calls calls) throws Exception {
        world.pod("web", "{containers: [{name: a, image: x, securityContext: " + context + "}]}");

        assertThat(spec(sandbox, "web").bounds().calls()).isEqualTo(calls);
    }

    @Test
    void refusesAProfileThatTheNodeDoesNotHave() throws Exception {
        world.pod(
                "web",
                "{containers: [{name: a, image: x, securityContext: {seccompProfile: {type: Localhost, localhostProfile: p}}}]}");

        var blocked = api.await("web", waiting("CreateContainerConfigError"));

        assertThat(status(blocked, "a").string("state", "waiting", "message"))
                .contains("use the type RuntimeDefault or Unconfined");
    }

    @Test
    void pullsNothingWhereThatIsForbidden() throws Exception {
        world.pod("web", "{containers: [{name: a, image: no-such, imagePullPolicy: Never}]}");

        var blocked = api.await("web", waiting("ErrImageNeverPull"));

        assertThat(status(blocked, "a").string("state", "waiting", "message"))
                .isEqualTo("Container image \"no-such\" is not present with pull policy of Never");
    }
}
