package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `vars`: values of fields of objects, which stand wherever others say `$(NAME)`.
final class Vars {

    /// One of them.
    ///
    /// @param object the one that has the value
    /// @param path of the value in it
    /// @param where it is declared
    record Var(String name, Id object, String path, String where) {

        boolean isIn(Item item) {
            boolean isExact = !object.namespace().isEmpty() || object.isClusterScoped();
            return item.ids()
                    .anyMatch(id -> isExact
                            ? id.isSame(object)
                            : id.isSameKind(object) && id.name().equals(object.name()));
        }
    }

    private static final List<FieldSpec> PLACES = places();
    private static final Pattern PART = Pattern.compile("\\[([^]]*)]|(?:\\\\.|[^.\\[])+");

    private Vars() {}

    static List<Var> read(Folder folder, Json.Obj fields) {
        var vars = new ArrayList<Var>();
        for (var entry : fields.objects("vars")) {
            var object = entry.object("objref");
            var name = entry.string("name");
            if (name.isEmpty() || object.string("kind").isEmpty()) {
                throw new KustomizeError(
                        folder.display() + ": vars: an entry needs name and objref with kind and name");
            }
            var apiVersion = object.string("apiVersion").isEmpty()
                    ? (object.string("group").isEmpty() ? "" : object.string("group") + "/") + object.string("version")
                    : object.string("apiVersion");
            var id = Id.of(Json.Obj.builder()
                    .put("apiVersion", apiVersion)
                    .put("kind", object.string("kind"))
                    .put(
                            "metadata",
                            Json.Obj.of(
                                    "name",
                                    Json.of(object.string("name")),
                                    "namespace",
                                    Json.of(object.string("namespace"))))
                    .build());
            vars.add(new Var(name, id, path(entry.object("fieldref")), folder.display()));
        }
        return vars;
    }

    // Its key is read in any case, as Go reads it.
    private static String path(Json.Obj reference) {
        return reference.keys().stream()
                .filter("fieldPath"::equalsIgnoreCase)
                .findFirst()
                .map(reference::string)
                .orElse("metadata.name");
    }

    static List<Var> merge(List<Var> known, List<Var> more) {
        var all = new ArrayList<>(known);
        for (var each : more) {
            if (all.stream().anyMatch(other -> other.name.equals(each.name))) {
                throw new KustomizeError(each.where + ": vars: var '" + each.name + "' already encountered");
            }
            all.add(each);
        }
        return List.copyOf(all);
    }

    /// Remembers which objects are meant, by the names that they have now.
    static List<Item> mark(List<Var> vars, List<Item> items) {
        var result = items;
        for (var each : vars) {
            long found = result.stream().filter(each::isIn).count();
            if (found > 1) {
                throw new KustomizeError(each.where + ": vars: found " + found + " resId matches for var " + each.name
                        + " (unable to disambiguate)");
            }
            result = result.stream()
                    .map(item -> each.isIn(item) ? item.meant(each.name) : item)
                    .toList();
        }
        return new ArrayList<>(result);
    }

    static List<Item> resolve(List<Var> vars, Configuration configuration, List<Item> items) {
        if (vars.isEmpty()) {
            return items;
        }
        var values = new TreeMap<String, Json>();
        vars.forEach(each -> values.put(each.name, value(each, items)));
        var places = new ArrayList<>(PLACES);
        places.addAll(configuration.at("varReference"));
        return items.stream()
                .map(item -> item.edit(object -> replaced(item, object, places, values)))
                .toList();
    }

    private static Json value(Var var, List<Item> items) {
        var holder = items.stream()
                .filter(item -> item.vars().contains(var.name))
                .findFirst()
                .orElseThrow(() -> new KustomizeError(var.where + ": var '" + var.name
                        + "' cannot be mapped to a field in the set of known resources"));
        Json here = holder.object();
        for (var part : parts(var.path)) {
            here = step(here, part);
            if (here == null) {
                throw new KustomizeError(var.where + ": field specified in var '" + var.name + "' not found in "
                        + holder.id() + ": " + var.path);
            }
        }
        return here;
    }

    /// As in `metadata.annotations.[a.b]`, `spec.ports[0].port` and `data.a\.b`.
    private static List<String> parts(String path) {
        var parts = new ArrayList<String>();
        var matcher = PART.matcher(path);
        while (matcher.find()) {
            parts.add(
                    matcher.group(1) != null
                            ? matcher.group(1)
                            : matcher.group().replace("\\.", "."));
        }
        return parts;
    }

    private static @Nullable Json step(Json here, String key) {
        if (here instanceof Json.Arr items) {
            return key.matches("[0-9]{1,6}") && Integer.parseInt(key) < items.size()
                    ? items.get(Integer.parseInt(key))
                    : null;
        }
        return here instanceof Json.Obj object ? object.get(key) : null;
    }

    private static Json.Obj replaced(Item item, Json.Obj object, List<FieldSpec> places, Map<String, Json> values) {
        var changed = object;
        for (var place : places) {
            if (place.isIn(item.id())) {
                changed = FieldPaths.change(
                        changed, FieldPaths.split(place.path()), false, value -> replaced(value, values));
            }
        }
        return changed;
    }

    private static @Nullable Json replaced(@Nullable Json value, Map<String, Json> values) {
        return switch (value) {
            case Json.Str(var text) -> expanded(text, values);
            case Json.Arr list -> list.map(each -> each instanceof Json.Str(var text) ? expanded(text, values) : each);
            case Json.Obj map -> {
                var fields = Json.Obj.builder();
                map.forEach((key, each) ->
                        fields.put(key, each instanceof Json.Str(var text) ? expanded(text, values) : each));
                yield fields.build();
            }
            case null -> null;
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> value;
        };
    }

    /// A text that is nothing but a variable becomes its value, a number included.
    private static Json expanded(String text, Map<String, Json> values) {
        var out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int end = text.startsWith("$(", i) ? text.indexOf(')', i) : -1;
            if (text.startsWith("$$", i)) {
                out.append('$');
                i++;
            } else if (end > 0) {
                var value = scalar(values.get(text.substring(i + 2, end)));
                if (value != null && i == 0 && end == text.length() - 1) {
                    return value;
                }
                out.append(value == null ? text.substring(i, end + 1) : value.display());
                i = end;
            } else {
                out.append(c);
            }
        }
        return Json.of(out.toString());
    }

    private static @Nullable Json scalar(@Nullable Json value) {
        return value instanceof Json.Obj || value instanceof Json.Arr ? null : value;
    }

    private static List<FieldSpec> places() {
        var places = new ArrayList<FieldSpec>();
        NameReferences.POD_SPECS.forEach((kind, spec) -> {
            if (!kind.equals("PodTemplate") && !kind.equals("ReplicationController")) {
                for (var containers : List.of("/containers", "/initContainers")) {
                    for (var field : List.of("/args", "/command", "/env/value", "/volumeMounts/mountPath")) {
                        places.add(new FieldSpec("*", kind, spec + containers + field, false));
                    }
                }
                places.add(new FieldSpec("*", kind, spec + "/volumes/nfs/server", false));
            }
        });
        places.add(new FieldSpec("*", "StatefulSet", "spec/volumeClaimTemplates/spec/nfs/server", false));
        // No such field exists; kustomize looks there all the same.
        places.add(new FieldSpec("*", "CronJob", "spec/jobTemplate/spec/template/volumes/nfs/server", false));
        places.add(new FieldSpec("*", "PersistentVolume", "spec/nfs/server", false));
        places.add(new FieldSpec("*", "Deployment", "spec/template/metadata/annotations", false));
        for (var path : List.of("spec/rules/host", "spec/tls/hosts", "spec/tls/secretName")) {
            places.add(new FieldSpec("*", "Ingress", path, false));
        }
        for (var path : List.of("spec/ports/port", "spec/ports/targetPort")) {
            places.add(new FieldSpec("*", "Service", path, false));
        }
        places.add(new FieldSpec("*", "*", "metadata/labels", false));
        places.add(new FieldSpec("*", "*", "metadata/annotations", false));
        return List.copyOf(places);
    }
}
