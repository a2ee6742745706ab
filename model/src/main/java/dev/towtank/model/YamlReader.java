package dev.towtank.model;

import static dev.towtank.model.YamlText.where;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/// The nodes of a YAML document to [Json]: aliases, merge keys, scalars.
final class YamlReader {

    /// The tag of a scalar without quotes and without a tag of its own.
    static final Tag PLAIN = new Tag("towtank:plain");

    /// Aliases may repeat a part, but not until a small text becomes a huge tree.
    private static final long MAX_NODES = 1_000_000;

    private final Consumer<String> duplicateKey;
    private final boolean isOfKustomize;
    /// A part that is referred to again is read once and shared; its size counts each time.
    private final IdentityHashMap<Node, Part> parts = new IdentityHashMap<>();

    private final Set<Node> unfinished = Collections.newSetFromMap(new IdentityHashMap<>());
    private long nodes;

    private record Part(Json json, long nodes) {}

    YamlReader(Consumer<String> duplicateKey) {
        this(duplicateKey, false);
    }

    /// @param isOfKustomize whether `yes` and `on` are texts, as to Kustomize, whose library knows YAML 1.2
    YamlReader(Consumer<String> duplicateKey, boolean isOfKustomize) {
        this.duplicateKey = duplicateKey;
        this.isOfKustomize = isOfKustomize;
    }

    Json read(Node node) {
        var known = parts.get(node);
        if (known != null) {
            count(node, known.nodes);
            return known.json;
        }
        if (!unfinished.add(node)) {
            throw new JsonText.Malformed("yaml: " + where(node.getStartMark()) + ": anchor contains itself");
        }
        long before = nodes;
        count(node, 1);
        var json = switch (node) {
            case ScalarNode scalar -> scalar(scalar);
            case SequenceNode sequence -> sequence(sequence);
            case MappingNode mapping -> Json.Obj.copyOf(mapping(mapping));
            default -> throw new IllegalStateException("a YAML node that is no node: " + node.getNodeId());
        };
        parts.put(node, new Part(json, nodes - before));
        unfinished.remove(node);
        return json;
    }

    /// What a node that has been read is; reading it again would count it again.
    Json known(Node node) {
        return Objects.requireNonNull(parts.get(node)).json;
    }

    private void count(Node node, long more) {
        nodes += more;
        if (nodes > MAX_NODES) {
            throw new JsonText.Malformed(
                    "yaml: " + where(node.getStartMark()) + ": more than " + MAX_NODES + " values, aliases included");
        }
    }

    private Json sequence(SequenceNode node) {
        var items = new ArrayList<Json>(node.getValue().size());
        for (var item : node.getValue()) {
            items.add(read(item));
        }
        return new Json.Arr(items);
    }

    private Map<String, Json> mapping(MappingNode node) {
        var fields = new LinkedHashMap<String, Json>();
        var merged = new LinkedHashMap<String, Json>();
        for (var tuple : node.getValue()) {
            if (isMergeKey(tuple.getKeyNode())) {
                merge(tuple.getValueNode(), merged);
                continue;
            }
            var key = key(tuple.getKeyNode());
            if (fields.put(key, read(tuple.getValueNode())) != null) {
                duplicateKey.accept(twice(tuple));
            }
        }
        merged.forEach(fields::putIfAbsent);
        return fields;
    }

    /// In the words of Kubernetes, which tells the line where the value begins.
    private String twice(NodeTuple tuple) {
        var mark = tuple.getValueNode().getStartMark();
        return "line " + (mark.getLine() + 1) + ": key " + read(tuple.getKeyNode()) + " already set in map";
    }

    static boolean isMergeKey(Node key) {
        return key instanceof ScalarNode scalar
                && (scalar.getTag().equals(Tag.MERGE)
                        || (scalar.getTag().equals(PLAIN) && scalar.getValue().equals("<<")));
    }

    // Of several maps to merge, the first that has a key wins.
    private void merge(Node source, Map<String, Json> into) {
        if (source instanceof SequenceNode several) {
            several.getValue().forEach(each -> mergeOne(each, into));
        } else {
            mergeOne(source, into);
        }
    }

    private void mergeOne(Node source, Map<String, Json> into) {
        if (!(read(source) instanceof Json.Obj object)) {
            throw new JsonText.Malformed("yaml: " + where(source.getStartMark())
                    + ": map merge requires map or sequence of maps as the value");
        }
        object.forEach(into::putIfAbsent);
    }

    String key(Node node) {
        return switch (read(node)) {
            case Json.Str(var text) -> text;
            case Json.Bool bool -> bool.toString();
            case Json.Int number -> number.toString();
            case Json.Real number -> number.toString();
            case Json.Null _, Json.Arr _, Json.Obj _ ->
                throw new JsonText.Malformed(
                        "yaml: " + where(node.getStartMark()) + ": a key must be a string, a number or a boolean");
        };
    }

    private Json scalar(ScalarNode node) {
        var text = node.getValue();
        var tag = node.getTag();
        if (isOfKustomize && tag.equals(PLAIN) && YamlScalars.isWordForABoolean(text)) {
            return Json.of(text);
        }
        if (tag.equals(PLAIN) || tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) || tag.equals(Tag.BOOL)) {
            return YamlScalars.resolve(text)
                    .orElseThrow(() -> new JsonText.Malformed(
                            "yaml: " + where(node.getStartMark()) + ": JSON has no number " + text));
        }
        if (tag.equals(Tag.NULL)) {
            return Json.Null.NULL;
        }
        return tag.equals(Tag.BINARY) ? binary(node) : Json.of(text);
    }

    private static Json binary(ScalarNode node) {
        try {
            var bytes = Base64.getMimeDecoder().decode(node.getValue());
            return Json.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new JsonText.Malformed(
                    "yaml: " + where(node.getStartMark()) + ": !!binary value contains invalid base64 data");
        }
    }
}
