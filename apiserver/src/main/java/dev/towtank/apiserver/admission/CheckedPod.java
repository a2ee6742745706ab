package dev.towtank.apiserver.admission;

import dev.towtank.model.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A pod, or the template of one, with what the Pod Security rules ask of it and how they speak of it.
record CheckedPod(Map<String, String> annotations, Json.Obj spec, List<Json.Obj> containers) {

    static final String CONTEXT = "securityContext";

    /// @param template with `metadata` and `spec`
    static CheckedPod of(Json.Obj template) {
        var spec = template.object("spec");
        var containers = Stream.of("initContainers", "containers", "ephemeralContainers")
                .flatMap(list -> spec.objects(list).stream())
                .toList();
        return new CheckedPod(template.stringMap("metadata", "annotations"), spec, containers);
    }

    List<String> names(Predicate<Json.Obj> bad) {
        return containers.stream().filter(bad).map(each -> each.string("name")).toList();
    }

    /// What all containers have of something, sorted.
    TreeSet<String> values(Function<Json.Obj, List<String>> values) {
        var found = new TreeSet<String>();
        containers.forEach(each -> found.addAll(values.apply(each)));
        return found;
    }

    /// `pod and containers "a", "b"`: who of them has set something; empty when nobody has.
    String setters(Predicate<Json.Obj> bad) {
        var names = names(bad);
        var pod = bad.test(spec) ? "pod" : "";
        if (names.isEmpty()) {
            return pod;
        }
        return (pod.isEmpty() ? "" : pod + " and ") + containers(names);
    }

    static String containers(Collection<String> names) {
        return one("container", names) + " " + quoted(names);
    }

    /// The word, in the plural unless there is one of them.
    static String one(String word, Collection<?> things) {
        return things.size() == 1 ? word : word + "s";
    }

    static String quoted(Collection<String> words) {
        return words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(", "));
    }

    boolean isWindows() {
        return spec.string("os", "name").equals("windows");
    }

    /// Whether root in it is nobody outside of it.
    boolean hasOwnUsers() {
        return spec.at("hostUsers") instanceof Json.Bool(var host) && !host;
    }
}
