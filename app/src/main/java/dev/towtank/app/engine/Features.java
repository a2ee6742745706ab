package dev.towtank.app.engine;

import dev.towtank.archive.service.ArchiveFeature;
import dev.towtank.cluster.Feature;
import dev.towtank.controllers.buckets.BucketsFeature;
import dev.towtank.controllers.builds.BuildsFeature;
import dev.towtank.controllers.gitops.GitOpsFeature;
import dev.towtank.controllers.models.ModelsFeature;
import dev.towtank.controllers.namespaces.NamespacesFeature;
import dev.towtank.controllers.notebooks.NotebooksFeature;
import dev.towtank.controllers.operator.OperatorFeature;
import dev.towtank.controllers.pipelines.PipelinesFeature;
import dev.towtank.controllers.pipelinesascode.PacFeature;
import dev.towtank.controllers.registry.RegistryFeature;
import dev.towtank.controllers.secrets.SecretsFeature;
import dev.towtank.controllers.serving.ServingFeature;
import dev.towtank.controllers.testclusters.TestClustersFeature;
import dev.towtank.controllers.triggers.TriggersFeature;
import dev.towtank.controllers.workloads.WorkloadsFeature;
import dev.towtank.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All that the platform can do, one line each.
public final class Features {

    /// What its own controllers do.
    private static final Set<String> OF_EVERY_CLUSTER = Set.of("namespaces", "workloads", "builds");

    private Features() {}

    static List<Feature> all() {
        return List.of(
                new NamespacesFeature(),
                new WorkloadsFeature(),
                new PipelinesFeature(),
                new SecretsFeature(),
                new BucketsFeature(),
                new BuildsFeature(),
                new TriggersFeature(),
                new GitOpsFeature(),
                TestClustersFeature.allowing(System.getenv().getOrDefault("TOWTANK_CLUSTER_PROGRAMS", "")),
                new ServingFeature(),
                new ModelsFeature(),
                new ArchiveFeature(),
                new NotebooksFeature(),
                new PacFeature(),
                new OperatorFeature());
    }

    /// All but these.
    ///
    /// @param names each of a feature
    public static List<Feature> without(Set<String> names) {
        checkNames(names);
        return all().stream().filter(feature -> !names.contains(feature.name())).toList();
    }

    /// Those of an engine; a registry is one only where somebody asks for it.
    static List<Feature> of(Engine.Site site) {
        return Stream.concat(
                        without(site.without()).stream(),
                        site.registry().stream().mapToObj(RegistryFeature::new))
                .toList();
    }

    /// Those that a cluster of somebody else's does not have from the start.
    public static List<Feature> portable() {
        return without(OF_EVERY_CLUSTER);
    }

    /// These, in the order in which they start.
    public static List<Feature> only(Set<String> names) {
        checkNames(names);
        for (var name : names) {
            if (OF_EVERY_CLUSTER.contains(name)) {
                throw new Failure("Every cluster has its own " + name + ": leave that feature out.");
            }
        }
        return all().stream().filter(feature -> names.contains(feature.name())).toList();
    }

    private static void checkNames(Set<String> names) {
        var known = all().stream().map(Feature::name).collect(Collectors.toCollection(TreeSet::new));
        for (var name : names) {
            if (!known.contains(name)) {
                throw new Failure(
                        "There is no feature " + name + ". The features are " + String.join(", ", known) + ".");
            }
        }
    }

    /// The objects that all of them bring.
    public static List<Json.Obj> definitions() {
        return all().stream()
                .flatMap(feature -> feature.definitions().objects().stream())
                .toList();
    }

    /// What a feature brings for pods, under this name.
    static Optional<byte[]> program(String name) {
        for (var feature : all()) {
            var file = feature.programs().get(name);
            if (file != null) {
                return Optional.of(content(feature.getClass(), file));
            }
        }
        return Optional.empty();
    }

    private static byte[] content(Class<?> feature, String file) {
        try (var in = feature.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not where it was built into");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
