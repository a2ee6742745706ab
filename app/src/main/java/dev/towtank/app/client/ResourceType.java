package dev.towtank.app.client;

import dev.towtank.model.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A kind as the server tells of it.
public record ResourceType(
        String group,
        String version,
        String plural,
        String singular,
        String kind,
        boolean namespaced,
        List<String> shortNames,
        List<String> categories,
        List<String> verbs) {

    static final ResourceType PODS = of("", "v1", "pods", "Pod", true);
    static final ResourceType EVENTS = of("", "v1", "events", "Event", true);
    static final ResourceType NODES = of("", "v1", "nodes", "Node", false);
    static final ResourceType TASK_RUNS = of("tekton.dev", "v1", "taskruns", "TaskRun", true);
    static final ResourceType PIPELINE_RUNS = of("tekton.dev", "v1", "pipelineruns", "PipelineRun", true);

    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        verbs = List.copyOf(verbs);
    }

    private static ResourceType of(String group, String version, String plural, String kind, boolean namespaced) {
        var singular = kind.toLowerCase(Locale.ROOT);
        return new ResourceType(
                group,
                version,
                plural,
                singular,
                kind,
                namespaced,
                List.of(),
                List.of(),
                List.of("get", "list", "watch"));
    }

    static ResourceType read(String group, String version, Json.Obj json) {
        var kind = json.string("responseKind", "kind");
        var singular = json.string("singularResource");
        return new ResourceType(
                group,
                version,
                json.string("resource"),
                singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular,
                kind,
                json.string("scope").equals("Namespaced"),
                json.array("shortNames").strings(),
                json.array("categories").strings(),
                json.array("verbs").strings());
    }

    /// The same kind in another version.
    ResourceType at(String other) {
        return new ResourceType(group, other, plural, singular, kind, namespaced, shortNames, categories, verbs);
    }

    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// As kubectl writes it before a name: `pod`, `deployment.apps`.
    String prefix() {
        return group.isEmpty() ? singular : singular + "." + group;
    }

    /// Whether somebody who writes this word may mean this kind.
    boolean answersTo(String word) {
        var lower = word.toLowerCase(Locale.ROOT);
        int dot = lower.indexOf('.');
        var name = dot < 0 ? lower : lower.substring(0, dot);
        var rest = dot < 0 ? "" : lower.substring(dot + 1);
        var named = Stream.concat(Stream.of(plural, singular, kind.toLowerCase(Locale.ROOT)), shortNames.stream())
                .anyMatch(name::equals);
        return named && (rest.isEmpty() || rest.equals(group) || rest.equals(version + "." + group));
    }

    /// @param namespace empty for all of them
    String path(String namespace) {
        var base = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        return (namespaced && !namespace.isEmpty() ? base + "/namespaces/" + segment(namespace) : base) + "/" + plural;
    }

    String path(String namespace, String name) {
        return path(namespace) + "/" + segment(name);
    }

    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
