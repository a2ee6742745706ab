package dev.towtank.controllers.workloads.pods;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;

/// What an owner creates. The names are a function of the owner, so an old cache leads to "already exists", never to a
/// child too many.
public final class Children {

    private static final int LONGEST_PREFIX = 58;

    private Children() {}

    /// The name of a child in a slot: the owner's name and five letters.
    public static String name(Resource owner, String slot) {
        return prefix(owner.name() + "-") + Hashes.suffix(owner.uid() + "/" + slot);
    }

    private static String prefix(String name) {
        return name.length() <= LONGEST_PREFIX ? name : name.substring(0, LONGEST_PREFIX);
    }

    /// The names of the first slots that are free.
    public static List<String> freeNames(Resource owner, Predicate<String> taken, long count) {
        return freeNames(owner, 0, taken, count);
    }

    /// @param first the slot to begin with: those before it had their child, and get no other
    public static List<String> freeNames(Resource owner, long first, Predicate<String> taken, long count) {
        var names = new ArrayList<String>();
        var used = new HashSet<String>();
        for (long slot = first; names.size() < count; slot++) {
            var name = name(owner, Long.toString(slot));
            if (!taken.test(name) && used.add(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /// The first free name of the child that an owner has for an index.
    public static String freeName(Resource owner, String index, Predicate<String> taken) {
        var part = "-" + index + "-";
        var name = owner.name();
        int room = LONGEST_PREFIX - part.length();
        var prefix = (name.length() > room ? name.substring(0, room) : name) + part;
        for (int attempt = 0; ; attempt++) {
            var candidate = prefix + Hashes.suffix(owner.uid() + "/" + index + "/" + attempt);
            if (!taken.test(candidate)) {
                return candidate;
            }
        }
    }

    public static Resource pod(Resource owner, Json.Obj template, String name) {
        var metadata = Json.Obj.builder()
                .put("name", name)
                .put("generateName", name.substring(0, name.lastIndexOf('-') + 1))
                .putAll(placed(owner, template.object("metadata")))
                .build();
        return owner.with(Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", metadata)
                .put("spec", template.object("spec"))
                .build());
    }

    /// The metadata that a template gives to what is made of it, and whose it is.
    public static Json.Obj placed(Resource owner, Json.Obj template) {
        return Json.Obj.builder()
                .putNonEmpty("namespace", owner.namespace())
                .putNonEmpty("labels", template.object("labels"))
                .putNonEmpty("annotations", template.object("annotations"))
                .putNonEmpty("finalizers", template.array("finalizers"))
                .put("ownerReferences", owners(owner))
                .build();
    }

    public static Json.Arr owners(Resource owner) {
        return Json.Arr.of(owner.asOwner(true).json());
    }
}
