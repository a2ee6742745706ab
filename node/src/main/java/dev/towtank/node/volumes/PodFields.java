package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Fields of a pod as its own containers can see them.
public final class PodFields {

    private static final Pattern ENTRY = Pattern.compile("metadata\\.(labels|annotations)\\['(.*)']");

    private PodFields() {}

    /// @throws IllegalArgumentException there is no such field
    public static String value(Resource pod, String path, NodeValues node) {
        var entry = ENTRY.matcher(path);
        if (entry.matches()) {
            return map(pod, entry.group(1)).getOrDefault(entry.group(2), "");
        }
        return switch (path) {
            case "metadata.name" -> pod.name();
            case "metadata.namespace" -> pod.namespace();
            case "metadata.uid" -> pod.uid();
            case "metadata.labels" -> format(pod.labels());
            case "metadata.annotations" -> format(pod.annotations());
            case "spec.nodeName" -> pod.spec().string("nodeName");
            case "spec.serviceAccountName" -> pod.spec().string("serviceAccountName");
            case "status.hostIP", "status.hostIPs" -> node.hostIp();
            case "status.podIP", "status.podIPs" -> node.podIp();
            default -> throw new IllegalArgumentException("unsupported fieldPath: " + path);
        };
    }

    private static Map<String, String> map(Resource pod, String field) {
        return field.equals("labels") ? pod.labels() : pod.annotations();
    }

    // One `key="value"` per line, in the order of the keys.
    private static String format(Map<String, String> entries) {
        return new TreeMap<>(entries)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + Json.of(entry.getValue()))
                        .collect(Collectors.joining("\n"));
    }
}
