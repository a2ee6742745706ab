package dev.towtank.app.applications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.applications.HookCommands.Need;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class HookCommandsTest {

    private static List<Need> needs(String script) {
        var pod = (Json.Obj) YamlText.parse("{kind: Pod, spec: {containers: [{command: [sh, -c]}]}}");
        var container = pod.objects("spec", "containers").getFirst().with("args", Json.Arr.ofStrings(List.of(script)));
        return HookCommands.of(pod.with(List.of("spec", "containers"), new Json.Arr(List.of(container))));
    }

    @Test
    void readsVerbsResourcesAndNamespaces() {
        assertThat(needs("""
                # kubectl delete everything
                while ! oc get imagestreamtag image:latest -n builds >/dev/null 2>&1; do sleep 1; done
                kubectl get pods -l app=x | wc -l
                kubectl wait --for=condition=Ready deployment/web --timeout=60s; kubectl -n other logs web
                """))
                .containsExactly(
                        new Need("get", "imagestreamtag", "", "builds"),
                        new Need("list", "pods", "", ""),
                        new Need("get", "deployment", "", ""),
                        new Need("list", "deployment", "", ""),
                        new Need("watch", "deployment", "", ""),
                        new Need("get", "pods", "log", "other"));
    }

    @Test
    void guessesNothingThatOnlyTheShellKnows() {
        assertThat(needs("kubectl get $KIND x")).isEmpty();
        assertThat(needs("kubectl get secret x -n $NAMESPACE")).isEmpty();
        assertThat(needs("kubectl apply -f -")).isEmpty();
        assertThat(needs("mykubectl-tool get secret")).isEmpty();
    }

    @Test
    void readsCommandsWithoutAShell() {
        var pod = (Json.Obj)
                YamlText.parse(
                        "{kind: Job, spec: {template: {spec: {containers: [{command: [/bin/kubectl, rollout, restart, deploy/web]}]}}}}");
        assertThat(HookCommands.of(pod)).containsExactly(new Need("patch", "deploy", "", ""));
    }
}
