package dev.towtank.app.run;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.FieldLine;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.app.run.input.UnknownFields;
import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelines.api.settings.FeatureFlags;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Brings the objects of a plan into a cluster.
final class ApplyFiles {

    private static final WriteOptions STRICT =
            WriteOptions.DEFAULT.by("towtank-run").strictly(true);

    private static final String UNKNOWN_FIELD = "unknown field \"";
    private static final Pattern DENIED = Pattern.compile("^admission webhook \"[^\"]+\" denied the request: ");

    private final Cluster cluster;
    private final RunPlan plan;
    private final KnownKinds kinds;
    private final Consumer<String> notice;

    /// @param notice told what is wrong with an object and forgiven
    ApplyFiles(Cluster cluster, RunPlan plan, Consumer<String> notice) {
        this.cluster = cluster;
        this.plan = plan;
        this.kinds = plan.kinds();
        this.notice = notice;
    }

    /// @param isOwn whether nobody else uses the cluster: then what is missing around the files is made
    /// @throws BadInput with all that is refused; then the run must not be started
    void apply(Path volumes, boolean isOwn) {
        var ordered = plan.objects().stream()
                .sorted(Comparator.comparingInt(ApplyFiles::rank))
                .toList();
        if (isOwn) {
            makeNamespaces();
            allowSeveralVolumes();
        } else {
            attempt(ordered, STRICT.trying());
        }
        // Before the claims, which would get volumes of their own.
        plan.volumes().forEach(volume -> makeVolume(volume, volumes));
        attempt(ordered, isOwn ? STRICT : STRICT.forcing());
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
        boolean isOfRefused = false;
        for (var document : documents) {
            var found = attempt(document, options, this::write);
            problems.addAll(found);
            isOfRefused |=
                    !found.isEmpty() && document.place().equals(plan.run().place());
        }
        if (!problems.isEmpty()) {
            // Who has to mend the files anyway hears of the run as well, unless it was made of what is refused.
            if (!isOfRefused) {
                problems.addAll(attempt(plan.run(), STRICT.trying(), this::create));
            }
            throw new BadInput(problems);
        }
    }

    /// @return what is wrong with the object
    private List<String> attempt(Document document, WriteOptions wanted, BiConsumer<Document, WriteOptions> write) {
        var options = document.isRemembered() ? wanted.strictly(false) : wanted;
        try {
            write.accept(document, options);
            return List.of();
        } catch (StatusError e) {
            // Read once more: who makes no mistake need not wait for the place of every field.
            var text = text(document);
            var unknown = UnknownFields.of(document.asWritten(), text, e.text(), kinds);
            if (unknown.isEmpty()) {
                return List.of(problem(document, text, e));
            }
            if (!options.strict() || !document.isForPipelinesAsCode()) {
                return unknown;
            }
            var others = attempt(document, options.strictly(false), write);
            if (others.isEmpty() && !options.dryRun()) {
                unknown.forEach(each -> notice.accept(each + " It is ignored, as by Pipelines-as-Code."));
            }
            return others;
        }
    }

    /// The run itself, last of all.
    ///
    /// @throws BadInput it is refused
    Resource createRun() {
        var created = new AtomicReference<@Nullable Resource>();
        var problems = attempt(plan.run(), STRICT, (run, options) -> created.set(create(run, options)));
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
        return Objects.requireNonNull(created.get());
    }

    /// What is wrong with an object, without who says so: nobody here knows of webhooks.
    private static String problem(Document document, String text, StatusError error) {
        var message = DENIED.matcher(error.text()).replaceFirst("");
        int line = FieldLine.find(text, document.line(), message).orElse(document.line());
        return FieldLine.slip(text, document.line(), message)
                .map(slip -> document.file() + ":" + slip.line() + ": there is no field \"" + slip.written()
                        + "\" here. Did you mean \"" + slip.meant() + "\"? (" + message + ")")
                .orElse(document.file() + ":" + line + ": " + message);
    }

    private static String text(Document document) {
        try {
            return Files.readString(Path.of(document.file()));
        } catch (IOException | InvalidPathException e) {
            return "";
        }
    }

    private Resource create(Document document, WriteOptions options) {
        if (options.strict() && document.isConverted()) {
            checkFields(document.asWritten(), options.trying());
        }
        Kind<?> kind = kinds.find(document).orElseThrow();
        return cluster.create(kind, document.resource(), options);
    }

    // In the version that it was written in: on the way to a newer one unknown fields get lost.
    private void checkFields(Document document, WriteOptions options) {
        try {
            var _ = cluster.create(kinds.find(document).orElseThrow(), document.resource(), options);
        } catch (StatusError e) {
            if (e.text().contains(UNKNOWN_FIELD)) {
                throw e;
            }
        }
    }

    // Only a create tells all that is unknown in one, with the way to it.
    private void write(Document document, WriteOptions options) {
        if (!options.force()) {
            try {
                var _ = create(document, options);
                return;
            } catch (StatusError e) {
                if (!e.is(StatusError.Reason.ALREADY_EXISTS) && !e.is(StatusError.Reason.FORBIDDEN)) {
                    throw e;
                }
            }
        }
        var object = document.resource();
        var _ = cluster.patch(
                kinds.find(document).orElseThrow(),
                ObjectName.of(object),
                new Patch.Apply(object.json()),
                options.forcing());
    }

    private void makeNamespaces() {
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
    private void allowSeveralVolumes() {
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

    private void makeVolume(WorkspaceVolume volume, Path directory) {
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
