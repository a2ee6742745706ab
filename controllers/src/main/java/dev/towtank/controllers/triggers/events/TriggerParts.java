package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The template and the bindings of a trigger, wherever they are written.
///
/// @param namespace where those are that it names
record TriggerParts(String namespace, Json.Obj spec, World world) {

    Json.Obj template() throws EventRefusal {
        var template = spec.object("template");
        if (template.has("spec")) {
            return Json.Obj.of("spec", template.object("spec"));
        }
        var name = template.string("ref");
        return world.find(TriggersKinds.TRIGGER_TEMPLATE, namespace, name)
                .map(Resource::json)
                .orElseThrow(() -> new EventRefusal(
                        Code.NOT_FOUND,
                        "error getting TriggerTemplate " + name + ": triggertemplate.triggers.tekton.dev \"" + name
                                + "\" not found"));
    }

    /// Name and value of each.
    List<Json.Obj> bindings() throws EventRefusal {
        var params = new ArrayList<Json.Obj>();
        for (var binding : spec.objects("bindings")) {
            var name = binding.string("ref");
            if (name.isEmpty()) {
                params.add(binding);
                continue;
            }
            boolean isGlobal = binding.string("kind").equals("ClusterTriggerBinding");
            var found = isGlobal
                    ? world.find(TriggersKinds.CLUSTER_TRIGGER_BINDING, "", name)
                    : world.find(TriggersKinds.TRIGGER_BINDING, namespace, name);
            params.addAll(found.orElseThrow(() -> new EventRefusal(
                            Code.NOT_FOUND,
                            "failed to resolve bindings: error getting "
                                    + (isGlobal ? "ClusterTriggerBinding " : "TriggerBinding ") + name
                                    + ": it does not exist"))
                    .spec()
                    .objects("params"));
        }
        var seen = new HashSet<String>();
        for (var param : params) {
            if (!seen.add(param.string("name"))) {
                throw new EventRefusal(
                        Code.INVALID_ARGUMENT,
                        "failed to resolve bindings: duplicate param name: " + param.string("name"));
            }
        }
        return params;
    }
}
