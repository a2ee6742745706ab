package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.rendering.SourceFiles;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.controllers.gitops.rendering.SourceRendering;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import dev.towtank.model.kustomize.RemoteBases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every field that the definitions have is served, or refused by its name: whoever adds one has to say which here.
class FieldsTest {

    private static final Set<String> OF_A_SOURCE = Set.of("repoURL", "path", "targetRevision", "chart", "ref", "name");
    private static final Set<String> OF_HELM = Set.of(
            "valueFiles",
            "values",
            "valuesObject",
            "parameters",
            "fileParameters",
            "releaseName",
            "namespace",
            "skipCrds",
            "ignoreMissingValueFiles",
            "kubeVersion",
            "apiVersions",
            "skipTests",
            "skipSchemaValidation");
    private static final Set<String> OF_KUSTOMIZE = Set.of(
            "namePrefix",
            "nameSuffix",
            "images",
            "replicas",
            "commonLabels",
            "commonAnnotations",
            "forceCommonLabels",
            "forceCommonAnnotations",
            "labelWithoutSelector",
            "namespace",
            "patches",
            "components",
            "labelIncludeTemplates",
            "ignoreMissingComponents");
    private static final Set<String> OF_A_DIRECTORY = Set.of("recurse", "include", "exclude");

    private static final Map<String, Set<String>> SERVED = Map.ofEntries(
            Map.entry(
                    "spec",
                    Set.of(
                            "project",
                            "destination",
                            "source",
                            "sources",
                            "syncPolicy",
                            "ignoreDifferences",
                            "revisionHistoryLimit",
                            "info")),
            Map.entry("spec.destination", Set.of("server", "name", "namespace")),
            Map.entry("spec.source", OF_A_SOURCE),
            Map.entry("spec.source.helm", OF_HELM),
            Map.entry("spec.source.kustomize", OF_KUSTOMIZE),
            Map.entry("spec.source.directory", OF_A_DIRECTORY),
            Map.entry("spec.syncPolicy", Set.of("automated", "syncOptions", "retry", "managedNamespaceMetadata")),
            Map.entry("spec.syncPolicy.automated", Set.of("prune", "selfHeal", "allowEmpty", "enabled")),
            Map.entry("spec.syncPolicy.retry", Set.of("limit", "backoff", "refresh")),
            Map.entry("spec.syncPolicy.retry.backoff", Set.of("duration", "factor", "maxDuration")),
            Map.entry("spec.syncPolicy.managedNamespaceMetadata", Set.of("labels", "annotations")),
            Map.entry(
                    "operation.sync",
                    Set.of(
                            "revision",
                            "revisions",
                            "prune",
                            "dryRun",
                            "autoHealAttemptsCount",
                            "syncOptions",
                            "syncStrategy",
                            "resources",
                            "source",
                            "sources")));

    /// Of the same objects, and what is said about them.
    private static final Map<String, Set<String>> REFUSED = Map.of(
            "spec", Set.of("sourceHydrator"),
            "spec.source", Set.of("plugin"),
            "spec.source.helm", Set.of("version", "passCredentials"),
            "spec.source.kustomize", Set.of("version", "kubeVersion", "apiVersions", "commonAnnotationsEnvsubst"),
            "spec.source.directory", Set.of("jsonnet"),
            "operation.sync", Set.of("manifests"));

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Json.Obj definition(String name) {
        try (var file = GitOpsFeature.class.getResourceAsStream("crds/" + name + ".yaml")) {
            return (Json.Obj) YamlText.parseAll(Objects.requireNonNull(file).readAllBytes())
                    .getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Json.Obj schema(String name) {
        return definition(name).objects("spec", "versions").getFirst().object("schema", "openAPIV3Schema");
    }

    private static Set<String> fields(Json.Obj schema, String path) {
        var found = schema;
        for (var name : path.split("\\.", -1)) {
            var next = found.object("properties", name);
            found = next.string("type").equals("array") ? next.object("items") : next;
        }
        return new TreeSet<>(found.object("properties").keys());
    }

    @Test
    void everyFieldOfAnApplicationIsServedOrRefused() {
        var schema = schema("applications");
        SERVED.forEach((path, served) -> {
            var all = new TreeSet<>(served);
            all.addAll(REFUSED.getOrDefault(path, Set.of()));
            if (path.equals("spec.source")) {
                all.addAll(Set.of("helm", "kustomize", "directory"));
            }
            assertThat(fields(schema, path)).as(path).isEqualTo(all);
        });
        for (var part : List.of("", ".helm", ".kustomize", ".directory")) {
            assertThat(fields(schema, "spec.sources" + part)).isEqualTo(fields(schema, "spec.source" + part));
            assertThat(fields(schema, "operation.sync.source" + part)).isEqualTo(fields(schema, "spec.source" + part));
            assertThat(fields(schema("applicationsets"), "spec.template.spec.source" + part))
                    .isEqualTo(fields(schema, "spec.source" + part));
        }
        assertThat(fields(schema("applicationsets"), "spec.template.spec")).isEqualTo(fields(schema, "spec"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{sourceHydrator: {}, source: {repoURL: r}} | spec.sourceHydrator is not served",
                "{source: {repoURL: r, plugin: {}}} | spec.source.plugin is not served",
                "{sources: [{repoURL: r, plugin: {}}]} | spec.source.plugin is not served",
                "{source: {repoURL: r, chart: c, path: p}} | spec.source has a chart and a path; it may have one of them",
                "{source: {path: p}} | spec.source.repoURL is required",
                "{} | spec.source.repoURL and either spec.source.path or spec.source.chart are required",
                "{source: {repoURL: r}, ignoreDifferences: [{kind: Pod, jqPathExpressions: ['.a[']}]} | cannot be read",
            })
    void whatAnApplicationMayNotHaveIsNamed(String spec, String problem) {
        assertThat(new ApplicationSpec("app", object(spec)).problems())
                .anySatisfy(each -> assertThat(each).contains(problem));
    }

    @Test
    void fieldsOfToolsThatAreNotServedAreRefused() {
        for (var tool : List.of("helm", "kustomize", "directory")) {
            for (var field : REFUSED.getOrDefault("spec.source." + tool, Set.of())) {
                var source = object("{repoURL: r, path: '', %s: {%s: x}}".formatted(tool, field));
                var own = tool.equals("helm")
                        ? Map.of("Chart.yaml", bytes("{apiVersion: v2, name: c, version: 1.0.0}"))
                        : Map.of("kustomization.yaml", bytes("{}"));
                var made = SourceRendering.render(
                        new SourceQuestion(source, "app", "d", "abc", Map.of()),
                        new SourceFiles(own, Map.of()),
                        RemoteBases.NONE,
                        Instant.EPOCH);
                assertThat(made.problem()).isEqualTo("spec.source." + tool + "." + field + " is not served");
            }
        }
        assertThat(Operations.problem(object("{sync: {manifests: [x]}}")))
                .hasValue("operation.sync.manifests is not served: commit what is to be synced");
    }

    /// Those of a project: lists and windows count, the rest is refused or told to have no effect.
    @Test
    void everyFieldOfAProjectIsServedRefusedOrTold() {
        assertThat(fields(schema("appprojects"), "spec"))
                .containsExactlyInAnyOrder(
                        "description",
                        "sourceRepos",
                        "sourceNamespaces",
                        "destinations",
                        "clusterResourceWhitelist",
                        "clusterResourceBlacklist",
                        "namespaceResourceWhitelist",
                        "namespaceResourceBlacklist",
                        "syncWindows",
                        "permitOnlyProjectScopedClusters",
                        "roles",
                        "orphanedResources",
                        "destinationServiceAccounts",
                        "signatureKeys");
        var application = new ObjectName(LogicalCluster.DEFAULT, "argocd", "app");
        var here = new Destination(LogicalCluster.DEFAULT, Destinations.SERVER, Destinations.NAME, "d", "");
        for (var field : List.of(
                "orphanedResources: {warn: true}",
                "destinationServiceAccounts: [{server: '*'}]",
                "signatureKeys: [{keyID: a}]")) {
            assertThat(new Project(
                                    "p",
                                    object("{sourceRepos: ['*'], destinations: [{server: '*', namespace: '*'}], "
                                            + field + "}"))
                            .objections(application, here, List.of()))
                    .containsExactly("project 'p' has spec." + field.replaceAll(":.*", "") + ", which is not served");
        }
        assertThat(new Project("p", object("{roles: [{name: a}]}")).warnings())
                .singleElement()
                .asString()
                .contains("the roles of project 'p'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | /ConfigMap | true",
                "{} | rbac.authorization.k8s.io/ClusterRole | false",
                "{clusterResourceWhitelist: [{group: '*', kind: '*'}]} | rbac.authorization.k8s.io/ClusterRole | true",
                "{clusterResourceWhitelist: [{group: '*', kind: '*'}], clusterResourceBlacklist: [{group: 'rbac*', kind: ClusterRole}]} | rbac.authorization.k8s.io/ClusterRole | false",
                "{clusterResourceWhitelist: [{group: '', kind: Namespace, name: 'team-*'}]} | /Namespace | false",
                "{namespaceResourceWhitelist: []} | /ConfigMap | false",
                "{namespaceResourceWhitelist: [{group: apps, kind: '*'}]} | /ConfigMap | false",
                "{namespaceResourceWhitelist: [{group: apps, kind: '*'}]} | apps/Deployment | true",
                "{namespaceResourceBlacklist: [{group: '', kind: Secret}]} | /Secret | false",
                "{namespaceResourceBlacklist: [{group: '', kind: Secret}]} | /ConfigMap | true",
            })
    void listsOfAProjectDecide(String lists, String kind, boolean isPermitted) {
        var spec = object(lists).with("destinations", YamlText.parse("[{server: '*', namespace: '*'}]"));
        var here = new Destination(LogicalCluster.DEFAULT, Destinations.SERVER, Destinations.NAME, "d", "");
        int slash = kind.indexOf('/');
        boolean isClusterWide = Set.of("ClusterRole", "Namespace").contains(kind.substring(slash + 1));
        var key = new ResourceKey(kind.substring(0, slash), kind.substring(slash + 1), isClusterWide ? "" : "d", "x");
        assertThat(new Project("p", spec).objection(key, here))
                .isEqualTo(
                        isPermitted
                                ? Optional.empty()
                                : Optional.of("resource " + key.group() + ":" + key.kind()
                                        + " is not permitted in project p"));
    }
}
