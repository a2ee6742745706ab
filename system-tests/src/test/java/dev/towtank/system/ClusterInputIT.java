package dev.towtank.system;

import static dev.towtank.system.ClusterTenant.faulty;
import static dev.towtank.system.ClusterTenant.instance;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// What nobody should write as a parameter of a cluster, and clocks that jump.
class ClusterInputIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    private static final List<String> TRICKS = List.of(
            "../../../etc/passwd",
            "&anchor [*anchor, *anchor]",
            "!!binary x",
            "a,secret=other,b={1,2}",
            "x\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: smuggled}\n",
            "x\"}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: smuggled}}\n#",
            "$(params.x) ${HOME} `id` %s");

    @TempDir
    static Path files;

    private ClusterTenant tenant;
    private Kubectl kubectl;

    @BeforeEach
    void makeTenant() {
        tenant = ClusterTenant.in(SERVER, files);
        kubectl = tenant.kubectl();
    }

    private static String parameter(String name, String value) {
        return "  parameters: [{name: " + name + ", value: " + JsonText.write(Json.of(value)) + "}]\n";
    }

    @Test
    void sec06AValueIsDataWhateverItLooksLike() {
        var name = "tricks-" + kubectl.namespace();
        tenant.template(name, tenant.chart("text: none\n", "", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: "{{ .Release.Name }}-text"}
                data: {text: {{ .Values.text | quote }}}
                ---
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata: {name: "{{ .Release.Name }}"}
                spec: {clusterName: "{{ .Release.Name }}", baseDomain: test.local}
                """), kubectl.namespace(), "[]");
        for (int i = 0; i < TRICKS.size(); i++) {
            tenant.ask("it-" + i, name, parameter("text", TRICKS.get(i)));
        }
        for (int i = 0; i < TRICKS.size(); i++) {
            tenant.awaitReady("it-" + i);
            var map = tenant.get("it-" + i, "{.metadata.uid}") + "-text";
            assertThat(kubectl.run("get", "configmap", map, "-o", "jsonpath={.data.text}"))
                    .isEqualTo(TRICKS.get(i));
        }
        assertThat(kubectl.run("get", "configmaps", "-o", "name").lines().filter(line -> line.endsWith("-text")))
                .hasSize(TRICKS.size());
        assertThat(SERVER.kubectl().run("get", "configmaps", "-A", "-o", "name"))
                .doesNotContain("smuggled");
    }

    /// Those that come with the server write what they are told between quotes, or refuse it.
    @Test
    void sec06TheServersOwnChartsMakeNothingElseOfIt() {
        for (int i = 0; i < TRICKS.size(); i++) {
            for (var parameter : List.of("version", "imageContentSources", "baseDomain")) {
                var name = "it-" + i + "-" + parameter.toLowerCase(Locale.ROOT);
                var outcome =
                        tenant.attempt(instance(name, "hypershift-aws-cluster", parameter(parameter, TRICKS.get(i))));
                if (outcome.exit() == 0) {
                    kubectl.await(
                            "clustertemplateinstances",
                            "--field-selector=metadata.name=" + name,
                            "{.status.phase}",
                            "an end",
                            phase -> phase.equals("Ready") || phase.endsWith("Failed"));
                }
            }
        }
        assertThat(SERVER.kubectl().run("get", "configmaps", "-A", "-o", "name"))
                .doesNotContain("smuggled");
        kubectl.run("delete", "cti", "--all");
    }

    @Test
    void sec06WhatIsTooLongIsRefused() {
        assertThat(tenant.attempt(instance("long", "logical-cluster", parameter("text", "x".repeat(1 << 20))))
                        .err())
                .contains("spec.parameters[0].value: Too long");
        var many = IntStream.range(0, 10)
                .mapToObj(i -> "{name: text" + i + ", value: " + "x".repeat(16_000) + "}")
                .collect(Collectors.joining(", ", "  parameters: [", "]\n"));
        assertThat(tenant.attempt(instance("many", "logical-cluster", many)).err())
                .contains("characters together, and 131072 are allowed");
    }

    @Test
    void clocksThatJumpEndWhatIsOverAndRenewWhatIsNot() {
        try (var server = RunningTowtank.start("--virtual-time")) {
            var there = Kubectl.newest(server.kubeconfig(), "default");
            var traveller = new ClusterTenant(there, files);
            traveller.ask("lasting", "logical-cluster", "");
            traveller.apply(faulty(instance("hung", "logical-cluster", ""), "towtank.dev/fault: hang"));
            traveller.awaitReady("lasting");
            traveller.awaitPhase("hung", "ClusterInstalling");
            var first = traveller.inside("lasting");
            first.run("create", "configmap", "kept");
            var keys = there.run("get", "secret", "lasting-admin-kubeconfig", "-o", "jsonpath={.data.kubeconfig}");

            assertThat(server.command("time", "advance", "31m").exit()).isZero();
            traveller.awaitPhase("hung", "ClusterInstallFailed");
            assertThat(traveller.condition("hung", "Ready", "reason")).isEqualTo("ProvisionDeadlineExceeded");

            assertThat(server.command("time", "advance", "3d").exit()).isZero();
            there.await(
                    "secrets",
                    "--field-selector=metadata.name=lasting-admin-kubeconfig",
                    "{.data.kubeconfig}",
                    "others",
                    text -> !text.equals(keys));
            assertThat(first.attempt("get", "configmaps").err()).contains("You must be logged in");
            assertThat(traveller.inside("lasting").run("get", "configmap", "kept", "-o", "name"))
                    .isEqualTo("configmap/kept\n");
            assertThat(traveller.get("lasting", "{.status.phase}")).isEqualTo("Ready");
        }
    }
}
