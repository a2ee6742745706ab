package dev.towtank.app.applications;

import dev.towtank.app.applications.foresight.PodTemplate;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the scripts of a pod ask of the API server with kubectl or oc, as far as it can be read.
final class HookCommands {

    private static final Pattern COMMAND = Pattern.compile("\\b(?:kubectl|oc)\\s(?:[^\\n;|&)`]|\\\\\\r?\\n)*");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9.]*(?:/[A-Za-z0-9._:-]+)?");
    private static final Set<String> WITH_VALUE = Set.of(
            "-n",
            "--namespace",
            "-o",
            "--output",
            "-l",
            "--selector",
            "--field-selector",
            "--for",
            "--timeout",
            "-p",
            "--patch",
            "--type",
            "-c",
            "--container",
            "--tail",
            "--since");

    private HookCommands() {}

    /// @param resource as it is written: plural, singular or short, perhaps with its group
    /// @param subresource empty for the object itself
    /// @param namespace empty for that of the pod
    record Need(String verb, String resource, String subresource, String namespace) {}

    /// @param object of any kind that has pods
    static List<Need> of(Json.Obj object) {
        var needs = new ArrayList<Need>();
        var pod = PodTemplate.of(object);
        Stream.concat(pod.objects("initContainers").stream(), pod.objects("containers").stream())
                .forEach(container -> {
                    var words = Stream.concat(
                                    container.array("command").strings().stream(),
                                    container.array("args").strings().stream())
                            .toList();
                    if (!words.isEmpty() && words.getFirst().matches("(.*/)?(kubectl|oc)")) {
                        needs.addAll(needs(words.subList(1, words.size())));
                    } else {
                        words.forEach(text -> needs.addAll(inScript(text)));
                    }
                });
        return needs.stream().distinct().toList();
    }

    private static List<Need> inScript(String script) {
        var needs = new ArrayList<Need>();
        var command = COMMAND.matcher(script);
        while (command.find()) {
            int line = script.lastIndexOf('\n', command.start()) + 1;
            if (script.substring(line, command.start()).strip().startsWith("#")) {
                continue;
            }
            var words = List.of(
                    command.group().replaceAll("\\\\\\r?\\n", " ").strip().split("\\s+"));
            needs.addAll(needs(words.subList(1, words.size())));
        }
        return needs;
    }

    private static List<Need> needs(List<String> words) {
        var plain = new ArrayList<String>();
        var namespace = "";
        boolean isWatch = false;
        for (int i = 0; i < words.size(); i++) {
            var word = words.get(i).replace("\"", "").replace("'", "");
            var next = i + 1 < words.size() ? words.get(i + 1).replace("\"", "").replace("'", "") : "";
            if (word.equals("-n") || word.equals("--namespace")) {
                namespace = next;
            } else if (word.startsWith("--namespace=")) {
                namespace = word.substring("--namespace=".length());
            }
            isWatch |= word.equals("-w") || word.equals("--watch");
            if (WITH_VALUE.contains(word)) {
                i++;
            } else if (word.matches("[0-9&]*>.*")) {
                break;
            } else if (!word.startsWith("-")) {
                plain.add(word);
            }
        }
        // What only the shell knows is not guessed.
        return namespace.contains("$") || plain.isEmpty() ? List.of() : needs(plain, namespace, isWatch);
    }

    private static List<Need> needs(List<String> words, String namespace, boolean isWatch) {
        int at = words.getFirst().equals("rollout") ? 2 : 1;
        var what = words.size() > at ? words.get(at) : "";
        return switch (words.getFirst()) {
            case "get", "describe" ->
                all(
                        what,
                        namespace,
                        isWatch ? "watch" : isNamed(words) || words.getFirst().equals("describe") ? "get" : "list");
            case "wait" -> all(what, namespace, "get", "list", "watch");
            case "delete" -> all(what, namespace, "delete");
            case "create" -> what.isEmpty() ? List.of() : all(what, namespace, "create");
            case "patch", "label", "annotate", "set", "edit" -> all(what, namespace, "patch");
            case "rollout" ->
                words.size() > 1 && words.get(1).equals("status")
                        ? all(what, namespace, "get", "list", "watch")
                        : all(what, namespace, "patch");
            case "logs" -> List.of(new Need("get", "pods", "log", namespace));
            case "exec" -> List.of(new Need("create", "pods", "exec", namespace));
            default -> List.of();
        };
    }

    private static boolean isNamed(List<String> words) {
        return words.size() > 2 || (words.size() > 1 && words.get(1).contains("/"));
    }

    private static List<Need> all(String what, String namespace, String... verbs) {
        return Optional.of(what)
                .filter(word -> WORD.matcher(word).matches())
                .map(word -> word.replaceFirst("/.*", ""))
                .map(resource -> Stream.of(verbs)
                        .map(verb -> new Need(verb, resource, "", namespace))
                        .toList())
                .orElse(List.of());
    }
}
