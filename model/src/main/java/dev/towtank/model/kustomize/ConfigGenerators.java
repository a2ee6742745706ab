package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// ConfigMaps and Secrets made of files, and the hash at the end of their names.
final class ConfigGenerators {

    private static final int LINE = 70;

    private ConfigGenerators() {}

    /// The object that an entry of `configMapGenerator` or `secretGenerator` describes.
    static Item generate(Folder folder, String kind, Json.Obj entry, Json.Obj common, Json.Obj origin) {
        if (entry.string("name").isEmpty()) {
            throw new KustomizeError(folder.display() + ": " + kind + " generator without a name");
        }
        var content = content(folder, entry);
        var metadata = Json.Obj.builder().put("name", entry.string("name"));
        if (!entry.string("namespace").isEmpty()) {
            metadata.put("namespace", entry.string("namespace"));
        }
        var options = entry.object("options");
        putStrings(metadata, "labels", common.object("labels"), options.object("labels"));
        putStrings(metadata, "annotations", common.object("annotations"), options.object("annotations"));
        var object =
                Json.Obj.builder().put("apiVersion", "v1").put("kind", kind).put("metadata", metadata.build());
        if (kind.equals("Secret")) {
            object.put("type", entry.string("type").isEmpty() ? "Opaque" : entry.string("type"));
        }
        data(kind, content, object);
        if (common.flag("immutable") || options.flag("immutable")) {
            object.put("immutable", true);
        }
        boolean isHashed = !common.flag("disableNameSuffixHash") && !options.flag("disableNameSuffixHash");
        return Item.of(object.build(), isHashed, origin);
    }

    private static void putStrings(ObjectBuilder metadata, String field, Json.Obj first, Json.Obj second) {
        if (first.size() + second.size() > 0) {
            metadata.put(field, first.toBuilder().putAll(second).build());
        }
    }

    private static void data(String kind, Map<String, byte[]> content, ObjectBuilder object) {
        var texts = Json.Obj.builder();
        var binaries = Json.Obj.builder();
        content.forEach((key, bytes) -> {
            if (kind.equals("Secret")) {
                texts.put(key, encoded(bytes));
            } else if (isText(bytes)) {
                texts.put(key, new String(bytes, StandardCharsets.UTF_8));
            } else {
                binaries.put(key, encoded(bytes));
            }
        });
        if (texts.build().size() > 0) {
            object.put("data", texts.build());
        }
        if (binaries.build().size() > 0) {
            object.put("binaryData", binaries.build());
        }
    }

    /// In lines of 70 characters where it is longer than one: the hash depends on it.
    private static String encoded(byte[] bytes) {
        var text = Base64.getEncoder().encodeToString(bytes);
        if (text.length() < LINE) {
            return text;
        }
        var lines = new StringBuilder();
        for (int i = 0; i < text.length(); i += LINE) {
            lines.append(text, i, Math.min(text.length(), i + LINE)).append('\n');
        }
        return lines.toString();
    }

    private static boolean isText(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    private static Map<String, byte[]> content(Folder folder, Json.Obj entry) {
        var content = new TreeMap<String, byte[]>();
        var environments = new ArrayList<>(entry.array("envs").strings());
        if (!entry.string("env").isEmpty()) {
            environments.add(entry.string("env"));
        }
        for (var file : environments) {
            for (var line : folder.text(file).replace("\uFEFF", "").lines().toList()) {
                var trimmed = line.stripLeading();
                if (!trimmed.isEmpty() && !trimmed.startsWith("#")) {
                    put(folder, entry, content, pair(folder, file, trimmed, false));
                }
            }
        }
        for (var literal : entry.array("literals").strings()) {
            put(folder, entry, content, pair(folder, "literals", literal, true));
        }
        for (var file : entry.array("files").strings()) {
            int equal = file.indexOf('=');
            var path = file.substring(equal + 1);
            var key = equal < 0 ? path.substring(path.lastIndexOf('/') + 1) : file.substring(0, equal);
            put(folder, entry, content, Map.entry(key, folder.bytes(path)));
        }
        return content;
    }

    private static void put(
            Folder folder, Json.Obj entry, Map<String, byte[]> content, Map.Entry<String, byte[]> pair) {
        if (pair.getKey().isEmpty() || !pair.getKey().matches("[-._a-zA-Z0-9]+")) {
            throw new KustomizeError(folder.display() + ": generator '" + entry.string("name") + "': \"" + pair.getKey()
                    + "\" is not a valid key name");
        }
        if (content.put(pair.getKey(), pair.getValue()) != null) {
            throw new KustomizeError(folder.display() + ": generator '" + entry.string("name") + "': cannot add key "
                    + pair.getKey() + ", another key by that name already exists");
        }
    }

    /// `key=value`. Quotes around a literal are not part of it.
    private static Map.Entry<String, byte[]> pair(Folder folder, String where, String written, boolean isLiteral) {
        int equal = written.indexOf('=');
        if (equal < 0) {
            // The value itself may be a secret, so it is not shown.
            throw new KustomizeError(folder.display() + ": " + where + ": expected key=value");
        }
        var value = written.substring(equal + 1);
        boolean isQuoted = value.length() > 1
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(0) == value.charAt(value.length() - 1);
        var plain = isLiteral && isQuoted ? value.substring(1, value.length() - 1) : value;
        return Map.entry(written.substring(0, equal), plain.getBytes(StandardCharsets.UTF_8));
    }

    /// Adds to one that exists (`merge`) or takes its place (`replace`); labels and annotations always add up.
    static Item combine(Item existing, Item added, boolean isMerge) {
        var object = added.object();
        for (var field : List.of("data", "binaryData")) {
            var merged = isMerge
                    ? existing.object().object(field).toBuilder()
                            .putAll(object.object(field))
                            .build()
                    : object.object(field);
            object = merged.size() == 0 ? object.without(field) : object.with(field, merged);
        }
        for (var field : List.of("labels", "annotations")) {
            var merged = existing.object().object("metadata", field).toBuilder()
                    .putAll(object.object("metadata", field))
                    .build();
            if (merged.size() > 0) {
                object = object.with(List.of("metadata", field), merged);
            }
        }
        var id = existing.id();
        object = object.with(List.of("metadata", "name"), Json.of(id.name()));
        if (!id.namespace().isEmpty()) {
            object = object.with(List.of("metadata", "namespace"), Json.of(id.namespace()));
        }
        var combined = existing.with(object).hashed(existing.isHashed() && added.isHashed());
        return isMerge ? combined : combined.from(added.origin());
    }

    static Item hash(Item item) {
        if (!item.isHashed()) {
            return item;
        }
        var name = item.id().name() + "-" + hash(item.object());
        return item.moved(item.object().with(List.of("metadata", "name"), Json.of(name)));
    }

    /// Ten letters of the digest of what Go would write for kind and content.
    private static String hash(Json.Obj object) {
        var hashed = new TreeMap<String, Json>();
        hashed.put("kind", Json.of(object.string("kind")));
        // Kustomize looks for the name where it is not, so that equal content has equal hashes. We agree with it.
        hashed.put("name", Json.of(""));
        hashed.put("data", object.get("data") instanceof Json.Obj data ? sorted(data) : Json.of(""));
        boolean isSecret = object.string("kind").equals("Secret");
        if (isSecret) {
            hashed.put("type", Json.of(object.string("type")));
        }
        var extra = isSecret ? "stringData" : "binaryData";
        if (object.get(extra) instanceof Json.Obj fields) {
            hashed.put(extra, sorted(fields));
        }
        var text = JsonText.write(Json.Obj.copyOf(hashed))
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
        var digits = HexFormat.of().formatHex(Sha256.of(text)).substring(0, 10);
        // No vowels, and nothing that looks like something else.
        return digits.replace('0', 'g')
                .replace('1', 'h')
                .replace('3', 'k')
                .replace('a', 'm')
                .replace('e', 't');
    }

    private static Json.Obj sorted(Json.Obj object) {
        var fields = new TreeMap<String, Json>();
        object.forEach(fields::put);
        return Json.Obj.copyOf(fields);
    }
}
