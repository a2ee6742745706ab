package dev.towtank.app.lint;

import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Steps that mount volumes nobody declares. Tekton takes such a task; its pod is refused at the start of every
/// run.
final class VolumeMounts implements Check {

    private static final String IN_RUNS = "volume of a pod template";

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        if (!document.isTekton()) {
            return;
        }
        for (var holder : document.root().all()) {
            for (var template : new String[] {"podTemplate", "taskPodTemplate"}) {
                var found = holder.at(template);
                if (found != null) {
                    found.list("volumes").forEach(each -> seen.add(Definition.of(IN_RUNS, each.text("name"))));
                }
            }
        }
        TektonTree.taskSpecs(document).forEach(spec -> task(document, spec, seen));
    }

    private static void task(Document document, Located spec, Observations seen) {
        var declared = new HashSet<String>();
        spec.list("volumes").forEach(each -> declared.add(each.text("name")));
        var workspaces = new HashSet<String>();
        spec.list("workspaces").forEach(each -> workspaces.add(each.text("name")));
        for (var list : new String[] {"steps", "sidecars"}) {
            for (var container : spec.list(list)) {
                container.list("volumeMounts").forEach(mount -> mount(document, mount, declared, workspaces, seen));
            }
        }
        spec.list("stepTemplate", "volumeMounts").forEach(mount -> mount(document, mount, declared, workspaces, seen));
    }

    private static void mount(
            Document document, Located mount, Set<String> declared, Set<String> workspaces, Observations seen) {
        var name = mount.at("name");
        if (name == null || !(name.json() instanceof Json.Str(var text)) || text.contains("$(")) {
            return;
        }
        if (declared.contains(text)) {
            return;
        }
        var advice = workspaces.contains(text)
                ? "The workspace \"" + text + "\" is already mounted at $(workspaces." + text
                        + ".path): take the volumeMount away."
                : "Declare it under 'volumes' of the task, or use a workspace.";
        seen.add(new Reference(
                IN_RUNS,
                text,
                Finding.of(
                        Rule.UNDEFINED_VOLUME,
                        document.value(name),
                        "the task mounts a volume \"" + text + "\" that it does not declare; its pod will be refused",
                        advice),
                Optional.empty()));
    }
}
