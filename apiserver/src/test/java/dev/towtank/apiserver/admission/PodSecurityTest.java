package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
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
