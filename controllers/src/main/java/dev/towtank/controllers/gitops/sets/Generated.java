package dev.towtank.controllers.gitops.sets;

import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.MergePatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The Applications that an ApplicationSet wants.
final class Generated {

    private static final String FINALIZER = "resources-finalizer.argocd.argoproj.io";

    private Generated() {}

    /// @throws SetError when they cannot be made
    static List<Json.Obj> applications(Resource set, Template template, List<SetGenerators.Given> all) {
        var applications = new ArrayList<Json.Obj>();
        var names = new HashSet<String>();
        for (var given : all) {
            var application = application(set, template, given);
            var name = application.string("metadata", "name");
            if (name.isEmpty()) {
                throw new SetError("ApplicationSet " + set.name() + " contains an application without a name");
            }
            if (!names.add(name)) {
                throw new SetError(
                        "ApplicationSet " + set.name() + " contains applications with duplicate name: " + name);
            }
            applications.add(application);
        }
        return applications;
    }

    private static Json.Obj application(Resource set, Template template, SetGenerators.Given given) {
        var spec = set.spec();
        var written = Template.merged(spec.object("template"), given.over());
        var filled = template.fill(written, given.params());
        var patch = spec.string("templatePatch");
        if (!patch.isEmpty()) {
            filled = patched(filled, template.fill(patch, given.params()));
        }
        var metadata = filled.object("metadata");
        if (!Set.of("", set.namespace()).contains(metadata.string("namespace"))) {
            throw new SetError("spec.template.metadata.namespace: applications are made in the namespace "
                    + set.namespace() + " of their set, not in " + metadata.string("namespace"));
        }
        var finalizers = metadata.array("finalizers").size() > 0
                ? metadata.array("finalizers")
                : spec.flag("syncPolicy", "preserveResourcesOnDeletion")
                        ? Json.Arr.EMPTY
                        : Json.Arr.ofStrings(List.of(FINALIZER));
        return Json.Obj.builder()
                .put("apiVersion", GitOpsKinds.APPLICATION.apiVersion())
                .put("kind", "Application")
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", metadata.string("name"))
                                .put("namespace", set.namespace())
                                .putNonEmpty("labels", metadata.object("labels"))
                                .putNonEmpty("annotations", metadata.object("annotations"))
                                .putNonEmpty("finalizers", finalizers)
                                .put(
                                        "ownerReferences",
                                        Json.Arr.of(set.asOwner(true).json()))
                                .build())
                .put("spec", filled.object("spec"))
                .build();
    }

    private static Json.Obj patched(Json.Obj application, String patch) {
        var result = application;
        for (var document : Template.documents("spec.templatePatch", patch)) {
            if (document instanceof Json.Obj object) {
                if (object.object("metadata").has("name")
                        || object.object("metadata").has("namespace")) {
                    throw new SetError("spec.templatePatch may not change the name or the namespace of an application");
                }
                result = MergePatch.apply(result, object);
            }
        }
        return result;
    }
}
