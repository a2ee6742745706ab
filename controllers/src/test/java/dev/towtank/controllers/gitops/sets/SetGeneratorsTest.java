package dev.towtank.controllers.gitops.sets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.gitops.rendering.Listing;
import dev.towtank.controllers.gitops.rendering.ListingQuestion;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.ApplicationSetFunctions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// From the spec of an ApplicationSet to its Applications.
class SetGeneratorsTest {

    private final Map<String, byte[]> files = new TreeMap<>();

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private List<Json.Obj> applications(String spec) {
        var set = Resource.of(object("{metadata: {name: set, namespace: argocd, uid: u}, spec: {}}")
                .with("spec", object(spec)));
        var template = Template.of(
                set.spec(),
                ApplicationSetFunctions.functions(new Ambient(Instant.EPOCH, ZoneOffset.UTC, new Random(1))));
        var world = new SetGenerators.World() {
            @Override
            public Listing listing(Json.Obj git) {
                return Listing.of(new ListingQuestion("", "", git.objects("directories"), git.objects("files")), files);
            }

            @Override
            public List<Json.Obj> clusters() {
                return List.of(
                        object("{name: in-cluster, server: here, metadata: {}}"),
                        object("{name: east, server: there, metadata: {labels: {env: test}, annotations: {}}}"));
            }
        };
        return Generated.applications(
                set, template, new SetGenerators(template, world).all(set.spec().objects("generators")));
    }

    private List<String> names(String spec) {
        return applications(spec).stream()
                .map(each -> each.string("metadata", "name"))
                .toList();
    }

    private void file(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aListGivesAnApplicationForEachElement() {
        var all = applications("""
                generators:
                - list:
                    elements: [{cluster: a, url: u1}, {cluster: b, url: u2}]
                    template: {metadata: {labels: {from: list}}, spec: {project: mine}}
                template:
                  metadata: {name: 'app-{{cluster}}'}
                  spec: {project: default, destination: {server: '{{ url }}'}, note: '{{unknown}}'}
                """);
        assertThat(all.getFirst().string("metadata", "name")).isEqualTo("app-a");
        assertThat(all.getFirst().string("metadata", "labels", "from")).isEqualTo("list");
        assertThat(all.getFirst().string("spec", "project")).isEqualTo("mine");
        assertThat(all.getLast().string("spec", "destination", "server")).isEqualTo("u2");
        assertThat(all.getLast().string("spec", "note")).isEqualTo("{{unknown}}");
        assertThat(all.getLast().array("metadata", "finalizers").strings())
                .containsExactly("resources-finalizer.argocd.argoproj.io");
    }

    @Test
    void directoriesAndFilesOfARepository() {
        file("apps/one/x.yaml", "");
        file("apps/Two_b/deep/x.yaml", "");
        file("apps/.hidden/x.yaml", "");
        file("apps/old/x.yaml", "");
        assertThat(names("""
                generators: [{git: {repoURL: r, directories: [{path: apps/*}, {path: apps/old, exclude: true}]}}]
                template: {metadata: {name: '{{path.basenameNormalized}}-{{path[0]}}'}}
                """)).containsExactly("two-b-apps", "one-apps");
        file("config/east.yaml", "{cluster: {name: east, size: 3}, tags: [a]}");
        assertThat(names("""
                goTemplate: true
                goTemplateOptions: [missingkey=error]
                generators: [{git: {repoURL: r, files: [{path: 'config/*.yaml'}], values: {size: '{{ .cluster.size }}'}}}]
                template: {metadata: {name: '{{ .cluster.name }}-{{ .values.size }}-{{ .path.filename | replace "." "-" }}-{{ index .tags 0 }}'}}
                """)).containsExactly("east-3-east-yaml-a");
    }

    @Test
    void clustersAreChosenByLabels() {
        assertThat(names("{generators: [{clusters: {}}], template: {metadata: {name: '{{name}}'}}}"))
                .containsExactly("in-cluster", "east");
        assertThat(names("{generators: [{clusters: {selector: {matchLabels: {env: test}}, values: {v: 'x-{{name}}'}}}],"
                        + " template: {metadata: {name: '{{values.v}}-{{metadata.labels.env}}'}}}"))
                .containsExactly("x-east-test");
    }

    @Test
    void aMatrixGivesEveryPairAndTheSecondMayNameTheFirst() {
        file("a/x", "");
        file("b/x", "");
        assertThat(names("""
                generators:
                - matrix:
                    generators:
                    - list: {elements: [{dir: a}, {dir: b}]}
                    - git: {repoURL: r, directories: [{path: '{{dir}}'}]}
                template: {metadata: {name: '{{dir}}-{{path}}'}}
                """)).containsExactly("a-a", "b-b");
        assertThat(names("""
                generators:
                - matrix: {generators: [{list: {elements: [{x: '1'}, {x: '2'}]}}, {list: {elements: [{z: a}, {z: b}]}}]}
                  selector: {matchExpressions: [{key: x, operator: In, values: ['2']}]}
                template: {metadata: {name: '{{x}}{{z}}'}}
                """)).containsExactly("2a", "2b");
    }

    @Test
    void mergingPutsLaterParametersOverEarlierOnes() {
        assertThat(names("""
                generators:
                - merge:
                    mergeKeys: [k]
                    generators:
                    - list: {elements: [{k: a, v: '1'}, {k: b, v: '1'}]}
                    - list: {elements: [{k: b, v: '2'}, {k: c, v: '3'}]}
                template: {metadata: {name: '{{k}}{{v}}'}}
                """)).containsExactly("a1", "b2");
    }

    @Test
    void aPatchMayDependOnParameters() {
        var all = applications("""
                goTemplate: true
                generators: [{list: {elements: [{name: a, prune: true}, {name: b, prune: false}]}}]
                template: {metadata: {name: '{{.name}}'}, spec: {project: p}}
                templatePatch: |
                  spec:
                    {{- if .prune }}
                    syncPolicy: {automated: {prune: true}}
                    {{- end }}
                """);
        assertThat(all.getFirst().flag("spec", "syncPolicy", "automated", "prune"))
                .isTrue();
        assertThat(all.getLast().object("spec").has("syncPolicy")).isFalse();
    }

    @Test
    void mistakesAreTold() {
        assertThatThrownBy(() -> names("{generators: [{scmProvider: {}}], template: {}}"))
                .hasMessage("the generator scmProvider is not served; there are list, clusters, git, matrix and merge");
        assertThatThrownBy(
                        () -> names("{generators: [{list: {elements: [{}, {}]}}], template: {metadata: {name: same}}}"))
                .hasMessage("ApplicationSet set contains applications with duplicate name: same");
        assertThatThrownBy(() -> names("{goTemplate: true, goTemplateOptions: [missingkey=error],"
                        + " generators: [{list: {elements: [{a: 1}]}}], template: {metadata: {name: '{{ .b }}'}}}"))
                .hasMessageContaining("map has no entry for key \"b\"");
    }

    @Test
    void fieldsThatNobodyKnowsAreNamed() {
        var template = "template: {metadata: {name: a}, spec: {}}";
        for (var generator : Map.of(
                        "list: {elements: [], colour: blue}", "list.colour",
                        "clusters: {flat: true}", "clusters.flat",
                        "git: {repoURL: r, directories: [{path: a, depth: 2}]}", "git.directories.depth",
                        "git: {repoURL: r, files: [{glob: a}]}", "git.files.glob",
                        "matrix: {generators: [], order: 1}", "matrix.order",
                        "merge: {generators: [], keys: [a]}", "merge.keys")
                .entrySet()) {
            assertThatThrownBy(() -> names("generators: [{" + generator.getKey() + "}]\n" + template))
                    .hasMessageContaining("the field " + generator.getValue() + " of a generator is not served");
        }
        for (var kind : List.of("scmProvider", "pullRequest", "clusterDecisionResource", "plugin")) {
            assertThatThrownBy(() -> names("generators: [{" + kind + ": {}}]\n" + template))
                    .hasMessageContaining("the generator " + kind + " is not served");
        }
        assertThatThrownBy(
                        () -> names(
                                "generators: [{list: {elements: [{}]}}]\ntemplate: {metadata: {name: a, namespace: b}, spec: {}}"))
                .hasMessageContaining("applications are made in the namespace argocd");
    }
}
