package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
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

class LimitRangerTest {

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final LimitRanger rule = new LimitRanger(store);

    private void limit(String limits) {
        put(
                store,
                "limitranges",
                "{'metadata': {'namespace': 'blue', 'name': 'l'}, 'spec': {'limits': [" + limits + "]}}");
    }

    private static String pod(String resources) {
        return "{'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': {'containers': [{'name': 'a', 'resources': "
                + resources + "}]}}";
    }

    @Test
    void fillsInWhatContainersLeaveOut() {
        limit("""
                {'type': 'Container', 'default': {'cpu': '1', 'memory': '1Gi'}, 'defaultRequest': {'cpu': '100m'}}""");
        var pod = Reviews.changed(rule, Reviews.POD, """
                {'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': {'containers': [
                  {'name': 'a', 'resources': {'limits': {'memory': '2Gi'}}}], 'initContainers': [{'name': 'b'}]}}""");

        assertThat(pod.object("spec")).isEqualTo(json("""
                {'containers': [{'name': 'a', 'resources': {'limits': {'memory': '2Gi', 'cpu': '1'},
                  'requests': {'cpu': '100m'}}}],
                 'initContainers': [{'name': 'b', 'resources': {'limits': {'cpu': '1', 'memory': '1Gi'},
                  'requests': {'cpu': '100m'}}}]}"""));
        assertThat(pod.string("metadata", "annotations", "kubernetes.io/limit-ranger"))
                .isEqualTo(
                        "LimitRanger plugin set: cpu request for container a; cpu limit for container a; cpu request for"
                                + " init container b; cpu, memory limit for init container b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'min': {'cpu': '100m'} | {} | minimum cpu usage per Container is 100m.  No request is specified",
                "'min': {'cpu': '100m'} | {'requests': {'cpu': '50m'}} | minimum cpu usage per Container is 100m, but request is 50m",
                "'min': {'cpu': '0.1'} | {'requests': {'cpu': '1'}, 'limits': {'cpu': '20m'}} | minimum cpu usage per Container is 100m, but limit is 20m",
                "'max': {'memory': '1Gi'} | {} | maximum memory usage per Container is 1Gi.  No limit is specified",
                "'max': {'memory': '1Gi'} | {'limits': {'memory': '2Gi'}} | maximum memory usage per Container is 1Gi, but limit is 2Gi",
                "'max': {'memory': '1Gi'} | {'limits': {'memory': '1Gi'}, 'requests': {'memory': '2Gi'}} | maximum memory usage per Container is 1Gi, but request is 2Gi",
                "'maxLimitRequestRatio': {'cpu': '2'} | {'limits': {'cpu': '1'}} | cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
                "'maxLimitRequestRatio': {'cpu': '2'} | {'requests': {'cpu': '1'}} | cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0",
                "'maxLimitRequestRatio': {'cpu': '2'} | {'requests': {'cpu': '300m'}, 'limits': {'cpu': '1'}} | cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
                "'max': {'cpu': '1', 'memory': '1Gi'} | {} | [maximum cpu usage per Container is 1.  No limit is specified, maximum memory usage per Container is 1Gi.  No limit is specified]",
            })
    void refusesContainersOutsideTheirLimits(String limit, String resources, String why) {
        limit("{'type': 'Container', " + limit + "}");
        assertThatThrownBy(() -> rule.check(Reviews.create(Reviews.POD, pod(resources))))
                .hasMessage("pods \"web\" is forbidden: " + why);
    }

    @Test
    void countsAPodAsAWhole() {
        limit("{'type': 'Pod', 'max': {'cpu': '2'}}");
        var pods = """
                {'metadata': {'namespace': 'blue', 'name': 'web'}, 'spec': {'containers': [
                  {'name': 'a', 'resources': {'limits': {'cpu': '1'}}}, {'name': 'b', 'resources': {'limits': {'cpu': '1'}}}],
                 'initContainers': [{'name': 'c', 'resources': {'limits': {'cpu': 'INIT'}}, 'restartPolicy': 'POLICY'}]}}""";
        assertThatCode(() -> rule.check(
                        Reviews.create(Reviews.POD, pods.replace("INIT", "2").replace("POLICY", ""))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> rule.check(
                        Reviews.create(Reviews.POD, pods.replace("INIT", "3").replace("POLICY", ""))))
                .hasMessage("pods \"web\" is forbidden: maximum cpu usage per Pod is 2, but limit is 3");
        assertThatThrownBy(() -> rule.check(
                        Reviews.create(Reviews.POD, pods.replace("INIT", "100m").replace("POLICY", "Always"))))
                .hasMessage("pods \"web\" is forbidden: maximum cpu usage per Pod is 2, but limit is 2100m");
    }

    @Test
    void limitsClaims() {
        limit("{'type': 'PersistentVolumeClaim', 'min': {'storage': '1Gi'}, 'max': {'storage': '2Gi'}}");
        var claim =
                "{'metadata': {'namespace': 'blue', 'name': 'data'}, 'spec': {'resources': {'requests': {'storage': '%s'}}}}";
        assertThatThrownBy(() -> rule.check(Reviews.create(Reviews.CLAIM, claim.formatted("5Gi"))))
                .hasMessage(
                        "persistentvolumeclaims \"data\" is forbidden: maximum storage usage per PersistentVolumeClaim is"
                                + " 2Gi, but request is 5Gi");
        assertThatThrownBy(
                        () -> rule.check(Reviews.update(Reviews.CLAIM, claim.formatted("1Mi"), claim.formatted("1Gi"))))
                .hasMessageContaining("minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi");
        assertThatCode(() -> rule.check(Reviews.create(Reviews.CLAIM, claim.formatted("2Gi"))))
                .doesNotThrowAnyException();
    }

    @Test
    void leavesOtherWritesAlone() {
        limit("{'type': 'Container', 'max': {'cpu': '1'}}");
        assertThatCode(() -> {
                    rule.check(Reviews.update(Reviews.POD, pod("{}"), pod("{}")));
                    rule.check(Reviews.delete(Reviews.POD, pod("{}")));
                    rule.check(Reviews.create(Reviews.DEPLOYMENT, pod("{}")));
                    rule.check(Reviews.create(Reviews.POD, pod("{}").replace("blue", "red")));
                })
                .doesNotThrowAnyException();
    }
}
