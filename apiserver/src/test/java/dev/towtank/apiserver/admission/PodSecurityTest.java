package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodSecurityTest {

    private static final String HARDENED = """
            {'securityContext': {'runAsNonRoot': true, 'seccompProfile': {'type': 'RuntimeDefault'}},
             'containers': [{'name': 'a', 'securityContext': {'allowPrivilegeEscalation': false,
               'capabilities': {'drop': ['ALL']}}}], 'volumes': [{'name': 'v', 'emptyDir': {}}]}""";

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final PodSecurity rule = new PodSecurity(store);

    private void namespace(String labels) {
        put(store, "namespaces", "{'metadata': {'name': 'blue', 'labels': " + labels + "}}");
    }

    private static Review pod(String spec) {
        return Reviews.create(Reviews.POD, "{'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': " + spec + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'hostNetwork': true, 'hostPID': true} | host namespaces (hostNetwork=true, hostPID=true)",
                "{'volumes': [{'name': 'v', 'hostPath': {}}]} | hostPath volumes (volume \"v\")",
                "{'containers': [{'name': 'a', 'ports': [{'hostPort': 80}]}]} | hostPort (container \"a\" uses hostPort 80)",
                "{'containers': [{'name': 'a', 'securityContext': {'privileged': true}}]} | privileged (container \"a\" must not set securityContext.privileged=true)",
                "{'initContainers': [{'name': 'i', 'securityContext': {'privileged': true}}], 'containers': [{'name': 'a', 'securityContext': {'privileged': true}}]} | privileged (containers \"i\", \"a\" must not set securityContext.privileged=true)",
                "{'containers': [{'name': 'a', 'securityContext': {'capabilities': {'add': ['NET_ADMIN', 'CHOWN']}}}]} | non-default capabilities (container \"a\" must not include \"NET_ADMIN\" in securityContext.capabilities.add)",
                "{'containers': [{'name': 'a', 'securityContext': {'procMount': 'Unmasked'}}]} | procMount (container \"a\" must not set securityContext.procMount to \"Unmasked\")",
                "{'securityContext': {'seLinuxOptions': {'type': 'x', 'user': 'y'}}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type \"x\"; user may not be set)",
                "{'securityContext': {'seccompProfile': {'type': 'Unconfined'}}} | seccompProfile (pod must not set securityContext.seccompProfile.type to \"Unconfined\")",
                "{'securityContext': {'appArmorProfile': {'type': 'Unconfined'}}, 'containers': [{'name': 'a', 'securityContext': {'appArmorProfile': {'type': 'Odd'}}}]} | forbidden AppArmor profiles (pod and container \"a\" must not set AppArmor profile type to \"Odd\", \"Unconfined\")",
                "{'containers': [{'name': 'a', 'livenessProbe': {'httpGet': {'host': '1.2.3.4'}}, 'lifecycle': {'preStop': {'tcpSocket': {'host': 'x'}}}}]} | probe or lifecycle host (container \"a\" uses probe or lifecycle hosts \"1.2.3.4\", \"x\")",
                "{'securityContext': {'windowsOptions': {'hostProcess': true}, 'sysctls': [{'name': 'a.b'}]}} | forbidden sysctls (a.b), hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
                "{'securityContext': {'sysctls': [{'name': 'kernel.msgmax'}, {'name': 'net.ipv4.tcp_rmem'}]}} | forbidden sysctls (kernel.msgmax)",
            })
    void refusesWhatTheBaselineForbids(String spec, String why) {
        namespace("{'pod-security.kubernetes.io/enforce': 'baseline'}");
        assertThatThrownBy(() -> rule.check(pod(spec)))
                .hasMessage("pods \"web\" is forbidden: violates PodSecurity \"baseline:latest\": " + why);
    }

    @Test
    void refusesWhatTheRestrictedLevelForbids() {
        namespace("""
                {'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/enforce-version': 'v1.30'}""");
        assertThatThrownBy(() -> rule.check(pod("{'containers': [{'name': 'a'}]}")))
                .hasMessage(
                        "pods \"web\" is forbidden: violates PodSecurity \"restricted:v1.30\": allowPrivilegeEscalation !="
                                + " false (container \"a\" must set securityContext.allowPrivilegeEscalation=false), unrestricted"
                                + " capabilities (container \"a\" must set securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot"
                                + " != true (pod or container \"a\" must set securityContext.runAsNonRoot=true), seccompProfile (pod"
                                + " or container \"a\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                                + " \"Localhost\")");
        assertThatCode(() -> rule.check(pod(HARDENED))).doesNotThrowAnyException();
        assertThatThrownBy(() -> rule.check(pod(HARDENED.replace("emptyDir", "nfs"))))
                .hasMessageEndingWith("restricted volume types (volume \"v\" uses restricted volume type \"nfs\")");
        assertThatThrownBy(() -> rule.check(
                        pod(HARDENED.replace("'runAsNonRoot': true", "'runAsNonRoot': true, 'runAsUser': 0"))))
                .hasMessageEndingWith("runAsUser=0 (pod must not set runAsUser=0)");
    }

    /// What a level says about a pod that no longer, or not yet, breaks its rules at another version.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "baseline:v1.28 | {'securityContext': {'sysctls': [{'name': 'net.ipv4.tcp_fin_timeout'}]}} | forbidden sysctls (net.ipv4.tcp_fin_timeout)",
                "baseline:v1.29 | {'securityContext': {'sysctls': [{'name': 'net.ipv4.tcp_fin_timeout'}]}} | ``",
                "baseline:v1.30 | {'securityContext': {'seLinuxOptions': {'type': 'container_engine_t'}}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type \"container_engine_t\")",
                "baseline:v1.31 | {'securityContext': {'seLinuxOptions': {'type': 'container_engine_t'}}} | ``",
                "baseline:v1.33 | {'containers': [{'name': 'a', 'livenessProbe': {'httpGet': {'host': 'x'}}}]} | ``",
                "baseline:v1.34 | {'hostUsers': false, 'containers': [{'name': 'a', 'securityContext': {'procMount': 'Unmasked'}}]} | procMount (container \"a\" must not set securityContext.procMount to \"Unmasked\")",
                "baseline:v1.35 | {'hostUsers': false, 'containers': [{'name': 'a', 'securityContext': {'procMount': 'Unmasked'}}]} | ``",
                "restricted:v1.7 | {'containers': [{'name': 'a'}]} | runAsNonRoot != true (pod or container \"a\" must set securityContext.runAsNonRoot=true)",
                "restricted:latest | {'os': {'name': 'windows'}, 'containers': [{'name': 'a'}]} | runAsNonRoot != true (pod or container \"a\" must set securityContext.runAsNonRoot=true)",
                "restricted:latest | {'hostUsers': false, 'os': {'name': 'windows'}, 'containers': [{'name': 'a'}]} | ``",
                "restricted:latest | {'os': {'name': 'windows'}, 'securityContext': {'runAsNonRoot': false}, 'containers': [{'name': 'a'}]} | runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)",
                "restricted:v1.30 | {'os': {'name': 'windows'}, 'securityContext': {'runAsNonRoot': true}, 'volumes': [{'name': 'v', 'image': {}}]} | ``",
            })
    void knowsTheRulesOfEachVersion(String standard, String spec, String why) {
        var parts = standard.split(":", -1);
        var labels = Map.of(
                "pod-security.kubernetes.io/enforce", parts[0], "pod-security.kubernetes.io/enforce-version", parts[1]);
        var policy = PodSecurityPolicy.of(labels);
        assertThat(policy.enforce()).hasToString(standard);
        var pod = json("{'spec': " + spec + "}");
        assertThat(PodSecurityRules.details(PodSecurityRules.violations(policy.enforce(), pod)))
                .isEqualTo(why);
    }

    @Test
    void readsOldAnnotationsToo() {
        var pod = json("""
                {'metadata': {'annotations': {'container.apparmor.security.beta.kubernetes.io/a': 'unconfined',
                              'seccomp.security.alpha.kubernetes.io/pod': 'unconfined'}}, 'spec': {}}""");
        var latest = new PodSecurityPolicy.Standard(PodSecurityLevel.BASELINE, PodSecurityPolicy.Standard.LATEST);
        assertThat(PodSecurityRules.details(PodSecurityRules.violations(latest, pod)))
                .isEqualTo("forbidden AppArmor profile (annotation must not set AppArmor profile type to"
                        + " \"container.apparmor.security.beta.kubernetes.io/a=\"unconfined\"\")");
        var old = new PodSecurityPolicy.Standard(PodSecurityLevel.BASELINE, 18);
        assertThat(PodSecurityRules.details(PodSecurityRules.violations(old, pod)))
                .endsWith("seccompProfile (forbidden annotation"
                        + " seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")");
    }

    @Test
    void tellsTheAuditLogWhatTheUserIsNotTold() {
        namespace("""
                {'pod-security.kubernetes.io/audit': 'baseline', 'pod-security.kubernetes.io/audit-version': 'v1.30'}""");
        var pod = noted(pod("{'hostNetwork': true}"));
        assertThatCode(() -> rule.check(pod)).doesNotThrowAnyException();
        assertThat(rule.warnings(pod)).isEmpty();
        assertThat(pod.call().notes().all())
                .containsExactly(
                        Map.entry("pod-security.kubernetes.io/enforce-policy", "privileged:latest"),
                        Map.entry(
                                "pod-security.kubernetes.io/audit-violations",
                                "would violate PodSecurity \"baseline:v1.30\": host namespaces (hostNetwork=true)"));
        var deployment = noted(Reviews.create(Reviews.DEPLOYMENT, """
                {'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': {'template': {'spec': {'hostIPC': true}}}}"""));
        rule.check(deployment);
        assertThat(deployment.call().notes().all()).containsOnlyKeys("pod-security.kubernetes.io/audit-violations");
    }

    @Test
    void tellsTheAuditLogAlsoOfPodsItRefuses() {
        namespace("{'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/warn-version': 'x'}");
        var pod = noted(pod("{'hostNetwork': true}"));
        assertThatThrownBy(() -> rule.check(pod)).hasMessageContaining("violates PodSecurity");
        assertThat(pod.call().notes().all())
                .containsEntry("pod-security.kubernetes.io/enforce-policy", "baseline:latest")
                .containsEntry(
                        "pod-security.kubernetes.io/error",
                        "Failed to parse policy: metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid"
                                + " value: \"x\": must be \"latest\" or \"v1.x\"");
    }

    private static Review noted(Review review) {
        return new Review(
                review.call().withNotes(Notes.empty()),
                review.kind(),
                review.operation(),
                review.namespace(),
                review.name(),
                review.subresource(),
                review.object(),
                review.old());
    }

    @Test
    void warnsWhenPodsWouldNoLongerBeLetIn() {
        for (var name : List.of("c", "b", "a")) {
            put(
                    store,
                    "pods",
                    "{'metadata': {'namespace': 'blue', 'name': '" + name + "'}, 'spec': {'hostPID': true}}");
        }
        put(store, "pods", "{'metadata': {'namespace': 'blue', 'name': 'd'}, 'spec': {}}");
        var stricter = Reviews.update(
                Reviews.NAMESPACE,
                "{'metadata': {'name': 'blue', 'labels': {'pod-security.kubernetes.io/enforce': 'baseline'}}}",
                "{'metadata': {'name': 'blue'}}");
        assertThat(rule.warnings(stricter))
                .containsExactly(
                        "existing pods in namespace \"blue\" violate the new PodSecurity enforce level \"baseline:latest\"",
                        "a (and 2 other pods): host namespaces");
        var laxer = Reviews.update(
                Reviews.NAMESPACE,
                "{'metadata': {'name': 'blue', 'labels': {'pod-security.kubernetes.io/enforce': 'baseline'}}}",
                "{'metadata': {'name': 'blue', 'labels': {'pod-security.kubernetes.io/enforce': 'restricted'}}}");
        assertThat(rule.warnings(laxer)).isEmpty();
    }

    @Test
    void judgesPodsAgainOnlyWhenTheyRunSomethingElse() {
        namespace("{'pod-security.kubernetes.io/enforce': 'baseline'}");
        var text = """
                {'metadata': {'namespace': 'blue', 'name': 'web'},
                 'spec': {'hostNetwork': true, 'containers': [{'name': 'a', 'image': 'x'}]}}""";
        assertThatCode(() -> rule.check(Reviews.update(
                        Reviews.POD, text.replace("'hostNetwork'", "'activeDeadlineSeconds': 3, 'hostNetwork'"), text)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> rule.check(Reviews.update(Reviews.POD, text.replace("'x'", "'y'"), text)))
                .hasMessageContaining("host namespaces");
    }

    @Test
    void letsEverythingThroughWithoutLabels() {
        namespace("{}");
        assertThatCode(() -> rule.check(pod("{'hostNetwork': true}"))).doesNotThrowAnyException();
        assertThat(rule.warnings(pod("{'hostNetwork': true}"))).isEmpty();
    }

    @Test
    void warnsAboutTemplatesThatCannotRun() {
        var deployment = Reviews.create(Reviews.DEPLOYMENT, """
                {'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': {'template': {'spec': {'hostIPC': true}}}}""");
        namespace("{'pod-security.kubernetes.io/enforce': 'baseline'}");
        assertThatCode(() -> rule.check(deployment)).doesNotThrowAnyException();
        assertThat(rule.warnings(deployment))
                .containsExactly("would violate PodSecurity \"baseline:latest\": host namespaces (hostIPC=true)");
        namespace("""
                {'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/warn': 'privileged'}""");
        assertThat(rule.warnings(deployment)).isEmpty();
    }

    @Test
    void leavesPodsAloneThatRunAlready() {
        namespace("{'pod-security.kubernetes.io/enforce': 'baseline'}");
        var text = "{'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': {'hostNetwork': true}}";
        assertThatCode(() -> rule.check(Reviews.update(Reviews.POD, text, text)))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesLevelsThatDoNotExist() {
        assertThatThrownBy(() -> rule.check(Reviews.create(Reviews.NAMESPACE, """
                        {'metadata': {'name': 'blue', 'labels': {'pod-security.kubernetes.io/warn': 'strict'}}}""")))
                .hasMessage(
                        "Namespace \"blue\" is invalid: metadata.labels[pod-security.kubernetes.io/warn]: Invalid value:"
                                + " \"strict\": must be one of privileged, baseline, restricted");
        namespace("{'pod-security.kubernetes.io/enforce': 'strict'}");
        assertThatThrownBy(() -> rule.check(pod("{'containers': [{'name': 'a'}]}")))
                .hasMessageContaining("violates PodSecurity \"restricted:latest\"");
    }
}
