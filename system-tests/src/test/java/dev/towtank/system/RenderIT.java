package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `towtank render`, and `lint` of charts, as they are shipped: files in, objects or mistakes out, and no server.
class RenderIT {

    @TempDir
    Path temp;

    private Program.Outcome towtank(String command, String... arguments) {
        var whole = new ArrayList<>(Program.towtankCommand(command));
        whole.addAll(List.of(arguments));
        return Program.run(whole, "", Map.of("HOME", temp.toString(), "XDG_STATE_HOME", temp.toString()));
    }

    private String file(String name, String text) throws IOException {
        var file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text).toString();
    }

    private String chart() throws IOException {
        file("shop/chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        file("shop/chart/values.yaml", "replicas: 2\n");
        file("shop/chart/templates/web.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}
                spec:
                  replicas: {{ .Values.replicas }}
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: web, image: "nginx:1.29"}]}
                """);
        return temp.resolve("shop/chart").toString();
    }

    @Test
    void findsOutWhatItIsLookingAt() throws IOException {
        var chart = chart();
        file("shop/.git/config", "[remote \"origin\"]\n  url = https://git.example/o/shop.git\n");
        file("shop/over/kustomization.yaml", "namePrefix: my-\nresources: [a.yaml]\n");
        file("shop/over/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        var application = file("shop/app.yaml", """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: shop}
                spec:
                  destination: {namespace: shops}
                  source: {repoURL: https://git.example/o/shop, path: chart, helm: {parameters: [{name: replicas, value: "5"}]}}
                """);

        assertThat(towtank("render", chart, "--set", "replicas=3", "--name", "x")
                        .out())
                .contains("# Source: web/templates/web.yaml", "name: x\n", "replicas: 3\n");
        assertThat(towtank("render", temp.resolve("shop/over").toString(), "-o", "names"))
                .isEqualTo(new Program.Outcome(0, "configmap/my-a\n", ""));
        assertThat(towtank("render", application, "-o", "json").out())
                .contains("\"name\": \"shop\"", "\"namespace\": \"shops\"", "\"replicas\": 5");
    }

    @Test
    void tellsWhereAMistakeIs() throws IOException {
        var chart = chart();
        file(
                "shop/chart/templates/bad.yaml",
                "apiVersion: v1\nkind: ConfigMap\ndata: {{ required \"say how\" .Values.how }}\n");

        var refused = towtank("render", chart);
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains("execution error at (web/templates/bad.yaml:3:9): say how");
    }

    @Test
    void lintsWhatChartsComeTo() throws IOException {
        var chart = chart();
        file("shop/chart/ci/wrong-values.yaml", "replicas: many\n");

        var found = towtank("lint", "--strict", chart);
        assertThat(found.exit()).isEqualTo(1);
        assertThat(found.out())
                .contains("templates/web.yaml", "5:1     warning  spec.replicas must be a whole number, not a text");
    }
}
