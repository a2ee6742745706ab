package dev.towtank.controllers.pipelines.runs;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// What a reference with the resolver `cluster` means, and whether it may be followed.
sealed interface ClusterLookup {

    String CONFIG_MAP = "cluster-resolver-config";
    List<String> KINDS = List.of("task", "pipeline", "stepaction");

    record Wanted(String kind, String name, String namespace) implements ClusterLookup {}

    record Refused(String why) implements ClusterLookup {}

    /// @param params empty for those that are not given
    /// @param settings the data of the ConfigMap
    static ClusterLookup of(UnaryOperator<String> params, Map<String, String> settings, boolean isEnabled) {
        if (!isEnabled) {
            return new Refused("cannot handle resolution request, enable-cluster-resolver feature flag not true");
        }
        var kind = or(params.apply("kind"), settings.getOrDefault("default-kind", "task"));
        if (!KINDS.contains(kind)) {
            return new Refused("unknown or unsupported resource kind '" + kind + "'");
        }
        var name = params.apply("name");
        var namespace = or(params.apply("namespace"), settings.getOrDefault("default-namespace", ""))
                .strip();
        if (name.isEmpty() || namespace.isEmpty()) {
            var missing = !name.isEmpty() ? "namespace" : namespace.isEmpty() ? "name, namespace" : "name";
            return new Refused("missing required cluster resolver params: " + missing);
        }
        return allowed(
                new Wanted(kind, name, namespace),
                names(settings.getOrDefault("allowed-namespaces", "")),
                names(settings.getOrDefault("blocked-namespaces", "")));
    }

    private static ClusterLookup allowed(Wanted wanted, List<String> allowed, List<String> blocked) {
        var namespace = wanted.namespace();
        if (blocked.contains(namespace)) {
            return new Refused("access to specified namespace " + namespace + " is blocked");
        }
        if (allowed.contains(namespace)) {
            return wanted;
        }
        if (blocked.contains("*")) {
            return new Refused("only explicit allowed access to namespaces is allowed");
        }
        return allowed.isEmpty()
                ? wanted
                : new Refused("access to specified namespace " + namespace + " is not allowed");
    }

    private static String or(String given, String usual) {
        return given.isEmpty() ? usual : given;
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
