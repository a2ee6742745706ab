package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// An ApplicationSet of an administrator, in which each instance has a generator of its own.
record SharedSet(Resource object) {

    private static final String FINALIZER = "resources-finalizer.argocd.argoproj.io";

    boolean has(String application) {
        return generators().stream().anyMatch(each -> isOf(each, application));
    }

    private List<Json.Obj> generators() {
        return object.spec().objects("generators");
    }

    private static boolean isOf(Json.Obj generator, String application) {
        return generator.string("list", "template", "metadata", "name").equals(application);
    }

    /// Nothing where it is there already.
    Plan with(Instance instance, String setup, String server) {
        var name = instance.application(setup);
        if (has(name)) {
            return Plan.none();
        }
        var all = kept("");
        all.add(generator(instance, setup, server));
        return patched(all);
    }

    Plan without(String application) {
        return has(application) ? patched(kept(application)) : Plan.none();
    }

    /// An empty generator stands in sets that nobody uses yet.
    private List<Json> kept(String application) {
        var all = new ArrayList<Json>();
        generators().stream()
                .filter(each -> each.size() > 0 && (application.isEmpty() || !isOf(each, application)))
                .forEach(all::add);
        return all;
    }

    private Plan patched(List<Json> generators) {
        return Plan.none()
                .patch(
                        GitOpsKinds.APPLICATION_SET,
                        object,
                        Json.Obj.of("spec", Json.Obj.of("generators", new Json.Arr(generators))));
    }

    private Json.Obj generator(Instance instance, String setup, String server) {
        var template = object.spec().object("template");
        var source = template.object("spec", "source");
        var metadata =
                Json.Obj.builder().put("name", instance.application(setup)).put("labels", instance.labels(setup));
        if (template.array("metadata", "finalizers").size() == 0) {
            metadata.put("finalizers", Json.Arr.of(Json.of(FINALIZER)));
        }
        var spec = template.object("spec")
                .with("source", source.with(List.of("helm", "parameters"), parameters(instance, setup, source)));
        var element = Json.Obj.of(
                "url", Json.of(server), "instance_ns", Json.of(instance.object().namespace()));
        return Json.Obj.of(
                "list",
                Json.Obj.of(
                        "elements",
                        Json.Arr.of(element),
                        "template",
                        Json.Obj.of("metadata", metadata.build(), "spec", spec)));
    }

    /// What the administrator fixed is not the tenant's to change.
    private static Json.Arr parameters(Instance instance, String setup, Json.Obj source) {
        var fixed = source.objects("helm", "parameters");
        var names = fixed.stream().map(each -> each.string("name")).toList();
        var all = new ArrayList<Json>(fixed);
        instance.parameters(setup).stream()
                .filter(each -> !names.contains(each.string("name")))
                .map(SharedSet::literal)
                .forEach(all::add);
        return new Json.Arr(all);
    }

    /// A value is a value: what looks like a parameter of the set in it is none.
    private static Json.Obj literal(Json.Obj parameter) {
        return parameter.with("forceString", Json.of(true));
    }
}
