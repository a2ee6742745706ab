package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Fixes;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
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
        boolean isOfTriggers = document.kind().equals("TriggerTemplate");
        if (!document.isTekton() && !isOfTriggers) {
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
        if (!isOfTriggers) {
            TektonTree.taskSpecs(document).forEach(spec -> task(document, spec, seen));
        }
    }

    private static void task(Document document, Located spec, Observations seen) {
        var declared = new HashSet<String>();
        spec.list("volumes").forEach(each -> declared.add(each.text("name")));
        var workspaces = new HashSet<String>();
        spec.list("workspaces").forEach(each -> workspaces.add(each.text("name")));
        for (var list : new String[] {"steps", "sidecars"}) {
            for (var container : spec.list(list)) {
                container
                        .list("volumeMounts")
                        .forEach(mount -> mount(document, container, mount, declared, workspaces, seen));
            }
        }
        var template = spec.at("stepTemplate");
        if (template != null) {
            template.list("volumeMounts")
                    .forEach(mount -> mount(document, template, mount, declared, workspaces, seen));
        }
    }

    private static void mount(
            Document document,
            Located container,
            Located mount,
            Set<String> declared,
            Set<String> workspaces,
            Observations seen) {
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
        var finding = Finding.of(
                Rule.UNDEFINED_VOLUME,
                document.value(name),
                "the task mounts a volume \"" + text + "\" that it does not declare; its pod will be refused",
                advice);
        var fix = workspaces.contains(text) ? removal(container) : Optional.<Edit>empty();
        seen.add(new Reference(IN_RUNS, text, fix.map(finding::with).orElse(finding), Optional.empty()));
    }

    /// All of `volumeMounts`, where nothing else is in it and it has lines of its own.
    private static Optional<Edit> removal(Located container) {
        var mounts = container.field("volumeMounts");
        if (mounts == null
                || mounts.value().items().size() != 1
                || mounts.value().start().line() == mounts.start().line()) {
            return Optional.empty();
        }
        int last = mounts.value().items().getFirst().fields().values().stream()
                .mapToInt(field -> field.value().end().line())
                .max()
                .orElse(0);
        return last < mounts.start().line()
                ? Optional.empty()
                : Optional.of(Fixes.without(mounts.start().line(), last));
    }
}
