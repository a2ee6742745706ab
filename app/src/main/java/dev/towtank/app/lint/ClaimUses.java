package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Claims that the pods of one node can mount, and who mounts them. [SharedClaims] holds it against each other.
final class ClaimUses implements Check {

    private static final Set<String> ONE_NODE = Set.of("ReadWriteOnce", "ReadWriteOncePod");

    /// Volumes of such classes lie on one node, and the scheduler puts all of their pods there.
    private static final Pattern LOCAL = Pattern.compile("local|host-?path", Pattern.CASE_INSENSITIVE);

    private static final Pattern OF_MODEL = Pattern.compile("pvc://([a-z0-9][a-z0-9.-]*)(?:/.*)?");

    /// @param folder of the file
    record Claim(String name, String folder, String namespace, String mode) {}

    /// Somebody whose pods mount a claim.
    ///
    /// @param owner such as `Deployment "web"`
    /// @param pods how many there are at once, as far as the file says it; of every node one for a DaemonSet
    /// @param isLasting whether its pods stay; others come, do something and go
    /// @param isPlaced whether the file says where its pods go
    record Use(
            String claim,
            String folder,
            String namespace,
            String owner,
            String pods,
            boolean isLasting,
            boolean isPlaced,
            SourcePlace place) {}

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        var root = document.root();
        switch (document.kind()) {
            case "PersistentVolumeClaim" -> claim(document, seen);
            case "Pod" -> pods(document, root.at("spec"), "", !isOver(root.text("spec", "restartPolicy")), seen);
            case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DeploymentConfig", "Rollout" ->
                pods(document, root.at("spec", "template", "spec"), several(document, "replicas"), true, seen);
            case "DaemonSet" -> pods(document, root.at("spec", "template", "spec"), "one on every node", true, seen);
            case "Job" ->
                pods(document, root.at("spec", "template", "spec"), several(document, "parallelism"), false, seen);
            case "CronJob" ->
                pods(document, root.at("spec", "jobTemplate", "spec", "template", "spec"), "", false, seen);
            case "InferenceService" -> model(document, seen);
            case "NotebookValidationJob" -> pods(document, root.at("spec", "podConfig"), "", false, seen);
            default -> tekton(document, seen);
        }
    }

    private static boolean isOver(String restartPolicy) {
        return restartPolicy.equals("Never") || restartPolicy.equals("OnFailure");
    }

    private static void claim(Document document, Observations seen) {
        var root = document.root();
        var modes = root.list("spec", "accessModes");
        // A volume that is chosen by name is known to whoever chose it.
        boolean isChosen = !root.text("spec", "volumeName").isEmpty();
        if (modes.size() != 1
                || isChosen
                || LOCAL.matcher(root.text("spec", "storageClassName")).find()
                || Placeholder.isIn(document.name())) {
            return;
        }
        var mode = modes.getFirst().json().display();
        if (ONE_NODE.contains(mode)) {
            seen.claims.add(
                    new Claim(document.name(), Connections.folder(document), root.text("metadata", "namespace"), mode));
        }
    }

    private static String several(Document document, String field) {
        var count = document.root().at("spec", field);
        return count != null && count.json() instanceof Json.Int(var number) && number > 1 ? number + " pods" : "";
    }

    private static void pods(
            Document document, @Nullable Located spec, String pods, boolean isLasting, Observations seen) {
        if (spec == null || isNothing(document)) {
            return;
        }
        boolean isPlaced =
                List.of("nodeName", "nodeSelector", "affinity").stream().anyMatch(field -> spec.field(field) != null);
        for (var volume : spec.list("volumes")) {
            use(document, volume.at("persistentVolumeClaim", "claimName"), pods, isLasting, isPlaced, seen);
        }
    }

    private static boolean isNothing(Document document) {
        var replicas = document.root().at("spec", "replicas");
        return replicas != null && replicas.json().display().equals("0");
    }

    private static void model(Document document, Observations seen) {
        for (var holder : document.root().all()) {
            var address = holder.at("storageUri");
            if (address != null) {
                var claim = OF_MODEL.matcher(address.json().display());
                if (claim.matches()) {
                    add(document, claim.group(1), document.value(address), "", true, false, seen);
                }
            }
            use(document, holder.at("persistentVolumeClaim", "claimName"), "", true, false, seen);
        }
    }

    /// Runs and their workspaces: the tasks of one run are put on one node, but not beside others.
    private static void tekton(Document document, Observations seen) {
        if (document.kind().equals("PipelineRun") || document.kind().equals("TaskRun")) {
            for (var workspace : document.root().list("spec", "workspaces")) {
                use(document, workspace.at("persistentVolumeClaim", "claimName"), "", false, false, seen);
            }
        }
        for (var spec : TektonTree.taskSpecs(document)) {
            for (var volume : spec.list("volumes")) {
                use(document, volume.at("persistentVolumeClaim", "claimName"), "", false, false, seen);
            }
        }
    }

    private static void use(
            Document document,
            @Nullable Located name,
            String pods,
            boolean isLasting,
            boolean isPlaced,
            Observations seen) {
        if (name != null && name.json() instanceof Json.Str(var text) && !Placeholder.isIn(text)) {
            add(document, text, document.value(name), pods, isLasting, isPlaced, seen);
        }
    }

    private static void add(
            Document document,
            String claim,
            SourcePlace place,
            String pods,
            boolean isLasting,
            boolean isPlaced,
            Observations seen) {
        var name = document.name().isEmpty() ? document.root().text("metadata", "generateName") : document.name();
        seen.claimUses.add(new Use(
                claim,
                Connections.folder(document),
                document.root().text("metadata", "namespace"),
                document.kind() + " \"" + name + "\"",
                pods,
                isLasting,
                isPlaced,
                place));
    }
}
