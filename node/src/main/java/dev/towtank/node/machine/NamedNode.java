package dev.towtank.node.machine;

import dev.towtank.model.Names;
import java.util.LinkedHashMap;
import java.util.Map;

/// A Node object that stands for this machine, beside others that do too.
public record NamedNode(String name, Map<String, String> labels) {

    public NamedNode {
        labels = Map.copyOf(labels);
    }

    /// @param text `NAME`, or `NAME:LABEL=VALUE,…`
    /// @throws IllegalArgumentException it says what is wrong
    public static NamedNode parse(String text) {
        int colon = text.indexOf(':');
        var name = colon < 0 ? text : text.substring(0, colon);
        var problems = Names.dnsSubdomain(name);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a node: " + problems.getFirst());
        }
        var labels = new LinkedHashMap<String, String>();
        if (colon >= 0) {
            for (var label : text.substring(colon + 1).split(",", -1)) {
                add(label, labels);
            }
        }
        return new NamedNode(name, labels);
    }

    private static void add(String label, Map<String, String> labels) {
        int equals = label.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("\"" + label + "\" is no label: write LABEL=VALUE");
        }
        var key = label.substring(0, equals);
        var value = label.substring(equals + 1);
        var problems = Names.qualifiedName(key);
        if (problems.isEmpty()) {
            problems = Names.labelValue(value);
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("\"" + label + "\" is no label: " + problems.getFirst());
        }
        labels.put(key, value);
    }
}
