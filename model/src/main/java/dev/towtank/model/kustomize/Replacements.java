package dev.towtank.model.kustomize;

import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `replacements`: a value of one object, copied into fields of others.
final class Replacements {

    private final String where;

    private Replacements(String where) {
        this.where = where;
    }

    static List<Item> apply(Folder folder, Json.Obj entry, List<Item> items) {
        var path = entry.string("path");
        if (path.isEmpty()) {
            return new Replacements(folder.display() + ": replacements").replace(entry, items);
        }
        var result = items;
        for (var document : folder.documents(path)) {
            var entries = document instanceof Json.Arr list ? list.objects() : List.of((Json.Obj) document);
            for (var each : entries) {
                result = new Replacements(folder.resolve(path)).replace(each, result);
            }
        }
        return result;
    }

    private List<Item> replace(Json.Obj entry, List<Item> items) {
        var value =
                entry.has("sourceValue") ? Json.of(entry.string("sourceValue")) : source(entry.object("source"), items);
        var result = items;
        for (var target : entry.objects("targets")) {
            result = target(target, value, result);
        }
        return result;
    }

    private Json source(Json.Obj source, List<Item> items) {
        var found = items.stream().filter(item -> isSelected(source, item)).toList();
        if (found.size() != 1) {
            throw new KustomizeError(
                    where + ": " + (found.isEmpty() ? "nothing selected by " : "multiple matches for selector ")
                            + source.without("fieldPath").without("options"));
        }
        var path = source.string("fieldPath").isEmpty() ? "metadata.name" : source.string("fieldPath");
        var values = new ArrayList<Json>();
        walk(found.getFirst().object(), split(path), false, value -> {
            if (value != null) {
                values.add(value);
            }
            return value;
        });
        if (values.isEmpty()) {
            throw new KustomizeError(where + ": fieldPath `" + path + "` is missing for replacement source "
                    + found.getFirst().id());
        }
        return part(values.getFirst(), source.object("options"));
    }

    private Json part(Json value, Json.Obj options) {
        var delimiter = options.string("delimiter");
        if (delimiter.isEmpty()) {
            return value;
        }
        var parts = List.of(value.display().split(Pattern.quote(delimiter), -1));
        int index = (int) options.integer("index");
        if (index < 0 || index >= parts.size()) {
            throw new KustomizeError(
                    where + ": options.index " + index + " is out of bounds for value " + value.display());
        }
        return Json.of(parts.get(index));
    }

    /// Words that must be equal; an empty one is for all.
    private static boolean isSelected(Json.Obj selector, Item item) {
        return item.ids()
                .anyMatch(id -> isWord(selector, "group", id.group())
                        && isWord(selector, "version", id.version())
                        && isWord(selector, "kind", id.kind())
                        && isWord(selector, "name", id.name())
                        && (isWord(selector, "namespace", id.namespace())
                                || isWord(selector, "namespace", id.place())));
    }

    private static boolean isWord(Json.Obj selector, String field, String value) {
        return selector.string(field).isEmpty() || selector.string(field).equals(value);
    }

    private List<Item> target(Json.Obj target, Json value, List<Item> items) {
        if (!(target.get("select") instanceof Json.Obj select)) {
            throw new KustomizeError(where + ": target must specify resources to select");
        }
        var paths = target.array("fieldPaths").strings();
        var result = new ArrayList<Item>();
        for (var item : items) {
            boolean isChosen = new PatchTarget(select).matches(item)
                    && target.objects("reject").stream().noneMatch(reject -> new PatchTarget(reject).matches(item));
            var object = item.object();
            if (isChosen) {
                for (var path : paths.isEmpty() ? List.of("metadata.name") : paths) {
                    object = put(object, path, value, target.object("options"), item.id());
                }
            }
            result.add(item.moved(object));
        }
        return result;
    }

    private Json.Obj put(Json.Obj object, String path, Json value, Json.Obj options, Id id) {
        var found = new Object() {
            boolean isFound;
        };
        var changed = walk(object, split(path), options.flag("create"), old -> {
            if (old == null && !options.flag("create")) {
                return null;
            }
            found.isFound = true;
            boolean isPart = !options.string("delimiter").isEmpty();
            return old == null && !isPart ? value : inserted(old == null ? Json.of("") : old, value, options);
        });
        if (!found.isFound && leadsIntoAText(object, split(path))) {
            throw new KustomizeError(where + ": a fieldPath into a text, \"" + path + "\", is not supported");
        }
        if (!found.isFound) {
            throw new KustomizeError(where + ": unable to find field \"" + path + "\" in replacement target " + id);
        }
        return (Json.Obj) changed;
    }

    /// Newer releases of kustomize read the JSON or YAML that is in it.
    private static boolean leadsIntoAText(Json.Obj object, List<String> path) {
        Json here = object;
        for (int i = 0; i < path.size() && here instanceof Json.Obj fields; i++) {
            here = FieldPaths.orNull(fields.get(path.get(i)));
            if (here instanceof Json.Str && i < path.size() - 1) {
                return true;
            }
        }
        return false;
    }

    private static Json inserted(Json old, Json value, Json.Obj options) {
        var delimiter = options.string("delimiter");
        if (delimiter.isEmpty()) {
            // The type of the target stays where it is a text.
            return old instanceof Json.Str && !(value instanceof Json.Obj) && !(value instanceof Json.Arr)
                    ? Json.of(value.display())
                    : value;
        }
        var parts = new ArrayList<>(List.of(old.display().split(Pattern.quote(delimiter), -1)));
        long index = options.integer("index");
        if (index < 0) {
            parts.addFirst(value.display());
        } else if (index >= parts.size()) {
            parts.add(value.display());
        } else {
            parts.set((int) index, value.display());
        }
        return Json.of(String.join(delimiter, parts));
    }

    /// A path with dots; `\.` is a dot in a name, `[a=b]` finds members of a list, `[a.b]` is a key, `*` means each.
    private static List<String> split(String path) {
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        int brackets = 0;
        for (int i = 0; i < path.length(); i++) {
            char character = path.charAt(i);
            brackets += character == '[' ? 1 : character == ']' ? -1 : 0;
            if (character == '\\' && i + 1 < path.length() && path.charAt(i + 1) == '.') {
                part.append('.');
                i++;
            } else if (character == '.' && brackets == 0) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(character);
            }
        }
        parts.add(part.toString());
        parts.removeIf(String::isEmpty);
        parts.replaceAll(each -> each.matches("\\[[^=]*]") ? each.substring(1, each.length() - 1) : each);
        return parts;
    }

    private static Json walk(Json json, List<String> path, boolean create, FieldPaths.Change change) {
        var name = path.getFirst();
        return switch (json) {
            case Json.Obj object
            when name.equals("*") -> {
                var fields = Json.Obj.builder();
                object.forEach((key, value) -> fields.put(key, step(value, path, create, change)));
                yield fields.build();
            }
            case Json.Obj object -> {
                var value = object.get(name);
                if (value == null && path.size() > 1) {
                    yield create
                            ? object.with(name, walk(Json.Obj.EMPTY, path.subList(1, path.size()), true, change))
                            : json;
                }
                var changed =
                        path.size() == 1 ? change.apply(value) : step(FieldPaths.orNull(value), path, create, change);
                yield changed == null ? object : object.with(name, changed);
            }
            case Json.Arr items -> {
                var changed = new ArrayList<Json>();
                for (int i = 0; i < items.size(); i++) {
                    changed.add(
                            isMember(items.get(i), i, name) ? step(items.get(i), path, create, change) : items.get(i));
                }
                yield new Json.Arr(changed);
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }

    private static Json step(Json value, List<String> path, boolean create, FieldPaths.Change change) {
        if (path.size() > 1) {
            return walk(value, path.subList(1, path.size()), create, change);
        }
        var changed = change.apply(value);
        return changed == null ? value : changed;
    }

    private static boolean isMember(@Nullable Json item, int index, String name) {
        if (name.equals("*") || name.equals(Integer.toString(index))) {
            return true;
        }
        if (!name.startsWith("[") || !name.endsWith("]") || item == null) {
            return false;
        }
        int equal = name.indexOf('=');
        if (equal < 0) {
            return false;
        }
        var key = name.substring(1, equal);
        var wanted = name.substring(equal + 1, name.length() - 1);
        var value = key.isEmpty() ? item : item instanceof Json.Obj object ? object.get(key) : null;
        return value != null && isFound(wanted, value.display());
    }

    /// An expression that is found anywhere in a value fits, as with kustomize.
    private static boolean isFound(String expression, String value) {
        try {
            return com.google.re2j.Pattern.compile(expression).matcher(value).find();
        } catch (PatternSyntaxException e) {
            throw new KustomizeError("replacements: '" + expression + "' is no regular expression: " + e.getMessage());
        }
    }
}
