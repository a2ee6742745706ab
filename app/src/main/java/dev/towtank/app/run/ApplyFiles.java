package dev.towtank.app.run;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.FieldLine;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelines.api.FeatureFlags;
import dev.towtank.controllers.pipelines.api.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Brings the objects of a plan into a cluster.
final class ApplyFiles {

    private static final WriteOptions APPLY = new WriteOptions("", "towtank-run", false, true);
    private static final WriteOptions DRY = new WriteOptions("", "towtank-run", true, true);

    private static final Pattern DENIED = Pattern.compile("^admission webhook \"[^\"]+\" denied the request: ");

    private final Cluster cluster;
    private final KnownKinds kinds;

    ApplyFiles(Cluster cluster, RunPlan plan) {
        this.cluster = cluster;
        this.kinds = plan.kinds();
    }

    /// @param isOwn whether nobody else uses the cluster: then what is missing around the files is made
    /// @throws BadInput with all that is refused; then the run must not be started
    void apply(RunPlan plan, Path volumes, boolean isOwn) {
        var ordered = plan.objects().stream()
                .sorted(Comparator.comparingInt(ApplyFiles::rank))
                .toList();
        if (isOwn) {
            makeNamespaces(plan);
            allowSeveralVolumes(plan);
        } else {
            attempt(ordered, DRY);
        }
        // Before the claims, which would get volumes of their own.
        plan.volumes().forEach(volume -> makeVolume(volume, volumes, plan));
        attempt(ordered, isOwn ? WriteOptions.DEFAULT.by(APPLY.fieldManager()) : APPLY);
        plan.volumes().stream().filter(volume -> !volume.isGiven()).forEach(this::makeClaim);
    }

    private static int rank(Document document) {
        return switch (document.kind()) {
            case "Namespace" -> 0;
            case "CustomResourceDefinition" -> 1;
            case "ServiceAccount", "Secret", "ConfigMap" -> 2;
            case "PersistentVolumeClaim" -> 4;
            default -> 3;
        };
    }

    private void attempt(List<Document> documents, WriteOptions options) {
        var problems = new ArrayList<String>();
        for (var document : documents) {
            try {
                write(document, options);
            } catch (StatusError e) {
                problems.add(problem(document, e));
            }
        }
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
    }

    /// What is wrong with an object, without who says so: nobody here knows of webhooks.
    static String problem(Document document, StatusError error) {
        var message = DENIED.matcher(error.text()).replaceFirst("");
        return document.file() + ":" + line(document, message) + ": " + message;
    }

    // Read once more: who makes no mistake need not wait for the place of every field.
    private static int line(Document document, String message) {
        try {
            var text = Files.readString(Path.of(document.file()));
            return FieldLine.find(text, document.line(), message).orElse(document.line());
        } catch (IOException | InvalidPathException e) {
            return document.line();
        }
    }

    private void write(Document document, WriteOptions options) {
        Kind<?> kind = kinds.find(document).orElseThrow();
        var object = document.resource();
        if (!options.force()) {
            try {
                var _ = cluster.create(kind, object, options);
                return;
            } catch (StatusError e) {
                if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                    throw e;
                }
            }
        }
        var _ = cluster.patch(
                kind,
                ObjectName.of(object),
                new Patch.Apply(object.json()),
                new WriteOptions("", options.fieldManager(), options.dryRun(), true));
    }

    private void makeNamespaces(RunPlan plan) {
        var names = new LinkedHashSet<String>();
        names.add(plan.namespace());
        plan.objects().forEach(document -> names.add(document.json().string("metadata", "namespace")));
        plan.objects().stream()
                .filter(document -> document.kind().equals("Namespace"))
                .forEach(document -> names.remove(document.name()));
        names.remove("");
        names.remove("default");
        names.forEach(this::makeNamespace);
    }

    private void makeNamespace(String name) {
        if (cluster.get(Namespaces.KIND, ObjectName.of("", name)).isEmpty()) {
            var namespace = Json.Obj.builder()
                    .put("apiVersion", "v1")
                    .put("kind", "Namespace")
                    .put("metadata", Json.Obj.of("name", Json.of(name)))
                    .build();
            var _ = cluster.create(Namespaces.KIND, Resource.of(namespace), WriteOptions.DEFAULT);
        }
    }

    /// Tekton lets a task have one claim, because two may be on different nodes. Here is one node only.
    private void allowSeveralVolumes(RunPlan plan) {
        boolean hasOwnFlags = plan.objects().stream()
                .anyMatch(document ->
                        document.kind().equals("ConfigMap") && document.name().equals(FeatureFlags.CONFIG_MAP));
        if (plan.volumes().size() < 2 || hasOwnFlags) {
            return;
        }
        var off = Json.Obj.of("data", Json.Obj.of("coschedule", Json.of("disabled")));
        var _ = cluster.patch(
                ConfigMaps.KIND,
                ObjectName.of(Settings.NAMESPACE, FeatureFlags.CONFIG_MAP),
                new Patch.Merge(off),
                WriteOptions.DEFAULT);
    }

    private void makeVolume(WorkspaceVolume volume, Path directory, RunPlan plan) {
        var modes = plan.objects().stream()
                .filter(document -> document.kind().equals("PersistentVolumeClaim"))
                .filter(document -> document.name().equals(volume.claim()))
                .map(document -> document.json().array("spec", "accessModes"))
                .findFirst()
                .orElse(Json.Arr.EMPTY);
        var object = Resource.of(volume.volume(volume.directory(directory), modes));
        var _ = cluster.create(PersistentVolumes.KIND, object, WriteOptions.DEFAULT);
    }

    private void makeClaim(WorkspaceVolume volume) {
        var _ = cluster.create(PersistentVolumeClaims.KIND, Resource.of(volume.claimObject()), WriteOptions.DEFAULT);
    }
}
