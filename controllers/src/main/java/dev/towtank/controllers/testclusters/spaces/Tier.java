package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Names;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// An NSTemplateTier, read: which namespaces a space of it has, and what is in them.
///
/// @param templates the TierTemplates that it names, by their names
record Tier(Resource object, Function<String, Optional<Resource>> templates) {

    private static final int MOST_NAMESPACES = 10;
    private static final int MOST_OBJECTS = 100;

    /// Objects of kinds that a cluster need not have.
    private static final String OPTIONAL = "toolchain.dev.openshift.com/optional-resource";

    /// Whose token goes to the tenant; nobody's where the tier names none.
    String account() {
        return object.spec().string("spaceRequestConfig", "serviceAccountName");
    }

    /// @throws TierProblem why there is no such space
    List<Room> rooms(LogicalCluster cluster, String space) {
        if (!object.spec().object("clusterResources").isEmpty()) {
            throw problem("its clusterResources would be outside of the space's namespaces, which is not supported");
        }
        var references = object.spec().objects("namespaces");
        if (references.size() > MOST_NAMESPACES) {
            throw problem("it has more than " + MOST_NAMESPACES + " namespaces");
        }
        var rooms = new ArrayList<Room>();
        for (var reference : references) {
            var name = reference.string("templateRef");
            var template = templates.apply(name).orElseThrow(() -> problem("its TierTemplate " + name + " is missing"));
            rooms.add(room(cluster, space, template));
        }
        return rooms;
    }

    private Room room(LogicalCluster cluster, String space, Resource template) {
        try {
            var objects = checked(filled(template.spec(), values(template.spec(), space)));
            return new Room(cluster, objects.getFirst().string("metadata", "name"), objects);
        } catch (TierProblem e) {
            throw problem("TierTemplate " + template.name() + ": " + e.why());
        }
    }

    private Map<String, String> values(Json.Obj template, String space) {
        Map<String, String> values = new HashMap<>();
        template.objects("template", "parameters").stream()
                .filter(each -> each.has("value"))
                .forEach(each -> values.put(each.string("name"), each.string("value")));
        object.spec().objects("parameters").forEach(each -> values.put(each.string("name"), each.string("value")));
        values.put("SPACE_NAME", space);
        return values;
    }

    private static List<Json.Obj> filled(Json.Obj spec, Map<String, String> values) {
        var all = new ArrayList<Json.Obj>();
        spec.objects("template", "objects")
                .forEach(each -> all.add(TierText.ofTemplate(values).filled(each)));
        spec.objects("templateObjects")
                .forEach(each -> all.add(TierText.ofObjects(values).filled(each)));
        return all;
    }

    private static List<Json.Obj> checked(List<Json.Obj> objects) {
        if (objects.size() > MOST_OBJECTS) {
            throw new TierProblem("more than " + MOST_OBJECTS + " objects");
        }
        if (objects.isEmpty() || !isNamespace(objects.getFirst())) {
            throw new TierProblem("the first object must be the Namespace");
        }
        var namespace = objects.getFirst().string("metadata", "name");
        if (!Names.dnsLabel(namespace).isEmpty()) {
            throw new TierProblem("\"" + namespace + "\" cannot be the name of a Namespace");
        }
        var all = new ArrayList<>(objects.subList(0, 1));
        for (var object : objects.subList(1, objects.size())) {
            var what = object.string("kind") + " " + object.string("metadata", "name");
            if (Room.kindOf(object).isEmpty()) {
                if (object.string("metadata", "annotations", OPTIONAL).equals("true")) {
                    continue;
                }
                throw new TierProblem(what + " is of no kind that a space may have, which are "
                        + String.join(
                                ", ", Room.KINDS.keySet().stream().sorted().toList()));
            }
            if (!object.string("metadata", "namespace").equals(namespace)) {
                throw new TierProblem(what + " is not in namespace " + namespace);
            }
            all.add(object);
        }
        return all;
    }

    private static boolean isNamespace(Json.Obj object) {
        return object.string("apiVersion").equals("v1") && object.string("kind").equals("Namespace");
    }

    private TierProblem problem(String why) {
        return new TierProblem("NSTemplateTier " + object.name() + " cannot be used: " + why);
    }
}
