package dev.towtank.controllers.gitops.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import dev.towtank.model.kustomize.RemoteBases;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// From the source of an Application and the files of its repository to objects.
class SourceRenderingTest {

    private static final String CHAIN = """
            {{- $gitUrl := .Values.imageBuilds.gitRepository | default .Values.git.repoURL | default .Values.global.git.repoURL | default "" }}
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: url}
            data: {url: "{{ $gitUrl }}"}
            """;

    private final Map<String, byte[]> files = new TreeMap<>();

    private void file(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private void chart(String template, String values) {
        file("c/Chart.yaml", "{apiVersion: v2, name: demo, version: 0.1.0}\n");
        file("c/templates/x.yaml", template);
        file("c/values.yaml", values);
    }

    /// @param source without its address
    private Manifests render(String source) {
        var question = new SourceQuestion(
                ((Json.Obj) YamlText.parse(source)).with("repoURL", Json.of("file:///repository")),
                "app",
                "space",
                "0123456",
                Map.of());
        return SourceRendering.render(
                question, new SourceFiles(files, Map.of()), RemoteBases.NONE, Instant.parse("2026-01-01T00:00:00Z"));
    }

    private String value(String source, String... path) {
        var made = render(source);
        assertThat(made.problem()).isEmpty();
        return made.objects().getFirst().string(path);
    }

    /// A2: each that is set wins over those behind it; a map that is missing ends it, whatever is set.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{imageBuilds: {gitRepository: a}, git: {repoURL: b}, global: {git: {repoURL: c}}} | a",
                "{imageBuilds: {}, git: {repoURL: b}, global: {git: {repoURL: c}}} | b",
                "{imageBuilds: {}, git: {}, global: {git: {repoURL: c}}} | c",
                "{imageBuilds: {}, git: {}, global: {git: {}}} | ''",
            })
    void a2AChainOfFallbacksTakesTheFirstThatIsSet(String values, String expected) {
        chart(CHAIN, values);
        assertThat(value("{path: c}", "data", "url")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{git: {repoURL: b}, global: {git: {repoURL: c}}} | gitRepository",
                "{imageBuilds: {gitRepository: a}, global: {git: {repoURL: c}}} | repoURL",
                "{imageBuilds: {gitRepository: a}, git: {repoURL: b}, global: {}} | repoURL",
            })
    void a2AMapThatIsMissingEndsTheChainWhateverIsSet(String values, String field) {
        chart(CHAIN, values);
        assertThat(render("{path: c}").problem())
                .contains("demo/templates/x.yaml:1", "nil pointer evaluating interface {}." + field);
    }

    @Test
    void a2AValueThatIsRequiredIsNamedWithItsPlace() {
        chart("url: {{ required \"git.repoURL is required\" .Values.repoURL }}\n", "{}");
        assertThat(render("{path: c}").problem())
                .contains("execution error at (demo/templates/x.yaml:1:", "git.repoURL is required");
    }

    /// A2c: parameters > valuesObject > values > value files (the later, the more) > the chart's own.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | chart",
                "{valueFiles: [one.yaml]} | one",
                "{valueFiles: [one.yaml, /two.yaml]} | two",
                "{valueFiles: [/two.yaml, one.yaml]} | one",
                "{valueFiles: ['../t*.yaml']} | two",
                "{valueFiles: [one.yaml], values: 'v: text'} | text",
                "{valueFiles: [one.yaml], values: 'v: text', valuesObject: {v: object}} | object",
                "{values: 'v: text', valuesObject: {v: object}, parameters: [{name: v, value: parameter}]} | parameter",
                "{parameters: [{name: v, value: parameter}], fileParameters: [{name: v, path: one.yaml}]} | 'v: one\n'",
                "{valueFiles: [absent.yaml, one.yaml], ignoreMissingValueFiles: true} | one",
            })
    void a2cValuesCountByWhereTheyStand(String helm, String expected) {
        chart(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {v: {{ .Values.v | quote }}}}\n",
                "v: chart\n");
        file("c/one.yaml", "v: one\n");
        file("two.yaml", "v: two\n");
        assertThat(value("{path: c, helm: " + helm + "}", "data", "v")).isEqualTo(expected);
    }

    @Test
    void a2cAValueFileThatIsMissingIsNamed() {
        chart("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n", "{}");
        assertThat(render("{path: c, helm: {valueFiles: [absent.yaml]}}").problem())
                .contains("the value file absent.yaml is not in the repository");
    }

    /// Each field of `helm` does something, or is refused by its name.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{releaseName: mine} | mine space true v1.35.0 2",
                "{namespace: other} | app other true v1.35.0 2",
                "{kubeVersion: 1.30.2} | app space true v1.30.2 2",
                "{apiVersions: [monitoring.coreos.com/v1]} | app space true v1.35.0 monitored",
                "{skipTests: true} | app space true v1.35.0 2",
                "{parameters: [{name: num, value: '007', forceString: true}]} | app space true v1.35.0 007",
                "{parameters: [{name: num, value: '7'}]} | app space true v1.35.0 7",
            })
    void fieldsOfHelmHaveTheirEffect(String helm, String expected) {
        chart(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {v: '{{ .Release.Name }}"
                        + " {{ .Release.Namespace }} {{ .Release.IsInstall }} {{ .Capabilities.KubeVersion.Version }}"
                        + " {{ .Capabilities.APIVersions.Has \"monitoring.coreos.com/v1\" | ternary \"monitored\" .Values.num }}'}}\n",
                "num: 2\n");
        assertThat(value("{path: c, helm: " + helm + "}", "data", "v")).isEqualTo(expected);
    }

    @Test
    void schemasTestsAndDefinitionsAreLeftOutWhenAsked() {
        chart("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n", "num: 2\n");
        file("c/values.schema.json", "{\"properties\": {\"num\": {\"type\": \"string\"}}}");
        file("c/templates/test.yaml", """
                {apiVersion: v1, kind: Pod, metadata: {name: t, annotations: {helm.sh/hook: test}}}
                """);
        file(
                "c/crds/d.yaml",
                "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: d}}\n");
        assertThat(render("{path: c}").problem()).contains("values don't meet the specifications of the schema");
        var all = render("{path: c, helm: {skipSchemaValidation: true}}");
        assertThat(all.objects())
                .extracting(each -> each.string("metadata", "name"))
                .containsExactly("d", "x", "t");
        var few = render("{path: c, helm: {skipSchemaValidation: true, skipTests: true, skipCrds: true}}");
        assertThat(few.objects())
                .extracting(each -> each.string("metadata", "name"))
                .containsExactly("x");
        for (var field : new String[] {"version: v3", "passCredentials: true"}) {
            assertThat(render("{path: c, helm: {" + field + "}}").problem())
                    .contains("spec.source.helm." + field.replaceAll(":.*", "") + " is not served");
        }
    }

    private void kustomization(String text) {
        file("k/kustomization.yaml", "resources: [d.yaml]\n" + text);
        file("k/d.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: web, image: nginx}]}
                """);
        file("k/extra/kustomization.yaml", """
                apiVersion: kustomize.config.k8s.io/v1alpha1
                kind: Component
                commonAnnotations: {extra: "yes"}
                """);
    }

    private Json.Obj deployment(String kustomize) {
        var made = render("{path: k, kustomize: " + kustomize + "}");
        assertThat(made.problem()).isEmpty();
        return made.objects().getFirst();
    }

    @Test
    void fieldsOfKustomizeHaveTheirEffect() {
        kustomization("");
        assertThat(deployment("{namePrefix: a-, nameSuffix: -z}").string("metadata", "name"))
                .isEqualTo("a-web-z");
        assertThat(deployment("{namespace: other}").string("metadata", "namespace"))
                .isEqualTo("other");
        assertThat(deployment("{replicas: [{name: web, count: 3}]}").integer("spec", "replicas"))
                .isEqualTo(3);
        assertThat(deployment("{images: ['nginx=registry.example.com/nginx:1.2']}")
                        .objects("spec", "template", "spec", "containers")
                        .getFirst()
                        .string("image"))
                .isEqualTo("registry.example.com/nginx:1.2");
        assertThat(deployment("{components: [extra]}").string("metadata", "annotations", "extra"))
                .isEqualTo("yes");
        assertThat(deployment("{components: [extra, absent], ignoreMissingComponents: true}")
                        .string("metadata", "annotations", "extra"))
                .isEqualTo("yes");
        assertThat(deployment(
                                "{patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /spec/paused, value: true}]'}]}")
                        .flag("spec", "paused"))
                .isTrue();
        assertThat(deployment("{commonAnnotations: {who: me}}").string("metadata", "annotations", "who"))
                .isEqualTo("me");
    }

    @Test
    void labelsGoIntoSelectorsUnlessTheyAreNotTo() {
        kustomization("");
        var all = deployment("{commonLabels: {team: blue}}");
        assertThat(all.string("spec", "selector", "matchLabels", "team")).isEqualTo("blue");
        var few = deployment("{commonLabels: {team: blue}, labelWithoutSelector: true}");
        assertThat(few.string("metadata", "labels", "team")).isEqualTo("blue");
        assertThat(few.string("spec", "selector", "matchLabels", "team")).isEmpty();
        assertThat(few.string("spec", "template", "metadata", "labels", "team")).isEmpty();
        var templates =
                deployment("{commonLabels: {team: blue}, labelWithoutSelector: true, labelIncludeTemplates: true}");
        assertThat(templates.string("spec", "template", "metadata", "labels", "team"))
                .isEqualTo("blue");
        assertThat(templates.string("spec", "selector", "matchLabels", "team")).isEmpty();
    }

    @Test
    void whatAKustomizationSaysIsOverriddenByForceAlone() {
        kustomization("commonLabels: {team: red}\ncommonAnnotations: {who: you}\n");
        assertThat(render("{path: k, kustomize: {commonLabels: {team: blue}}}").problem())
                .contains("label team already in kustomization file", "forceCommonLabels overrides it");
        assertThat(render("{path: k, kustomize: {commonAnnotations: {who: me}}}")
                        .problem())
                .contains("annotation who already in kustomization file");
        var forced = deployment(
                "{commonLabels: {team: blue}, forceCommonLabels: true, commonAnnotations: {who: me}, forceCommonAnnotations: true}");
        assertThat(forced.string("metadata", "labels", "team")).isEqualTo("blue");
        assertThat(forced.string("metadata", "annotations", "who")).isEqualTo("me");
        for (var field : new String[] {"version: v5", "commonAnnotationsEnvsubst: true", "kubeVersion: '1.30'"}) {
            assertThat(render("{path: k, kustomize: {" + field + "}}").problem())
                    .contains("spec.source.kustomize." + field.replaceAll(":.*", "") + " is not served");
        }
    }

    /// A star stands for slashes as well.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | a b",
                "{recurse: true} | a b c d",
                "{recurse: true, include: 'a.yaml'} | a",
                "{recurse: true, include: '*/c.yaml'} | c",
                "{recurse: true, exclude: '*.json'} | a c",
                "{recurse: true, include: '{a.yaml,sub/*}', exclude: 'sub/d*'} | a c",
            })
    void directoriesAreReadAsFarAsTheyAreMeant(String directory, String expected) {
        for (var path : new String[] {"a.yaml", "b.json", "sub/c.yaml", "sub/d.json"}) {
            var name = path.replaceAll("\\..*|.*/", "");
            file(
                    "p/" + path,
                    "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"" + name + "\"}}");
        }
        file("p/readme.md", "no object");
        var made = render("{path: p, directory: " + directory + "}");
        assertThat(String.join(
                        " ",
                        made.objects().stream()
                                .map(each -> each.string("metadata", "name"))
                                .toList()))
                .isEqualTo(expected);
        assertThat(render("{path: p, directory: {jsonnet: {libs: [x]}}}").problem())
                .isEqualTo("spec.source.directory.jsonnet is not served");
    }
}
