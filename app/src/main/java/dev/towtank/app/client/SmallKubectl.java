package dev.towtank.app.client;

import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a pod that has no real kubectl can do with ours: the few commands that scripts in pipelines are made of, with
/// kubectl's words and exit codes. The rest is refused.
public final class SmallKubectl {

    private static final String APPLY = "application/apply-patch+yaml";
    private static final String MERGE = "application/merge-patch+json";
    private static final String MANAGER = "kubectl";
    private static final Map<String, String> PATCHES = Map.of(
            "", "application/strategic-merge-patch+json",
            "strategic", "application/strategic-merge-patch+json",
            "merge", MERGE,
            "json", "application/json-patch+json");
    private static final String HELP = """
            kubectl get KIND [NAME...] [-o json|yaml|name|wide|jsonpath=...] [-A] [-l SELECTOR]
            kubectl apply -f FILE
            kubectl create -f FILE [-o name|jsonpath=...]
            kubectl delete KIND NAME... | -f FILE
            kubectl patch KIND NAME -p PATCH [--type merge|json|strategic]
            kubectl label|annotate KIND NAME KEY=VALUE... KEY-...
            kubectl wait KIND/NAME --for=condition=NAME|delete|jsonpath={...}=VALUE [--timeout=30s]
            kubectl logs POD [-c CONTAINER] [-f] [--tail=N]

            """;

    private final ApiClient client;
    private final Map<String, String> files;
    private final PrintStream out;
    private final PrintStream err;

    /// @param files the contents of those that the command line names, by how it names them
    public SmallKubectl(ApiClient client, Map<String, String> files, PrintStream out, PrintStream err) {
        this.client = client;
        this.files = Map.copyOf(files);
        this.out = out;
        this.err = err;
    }

    /// @return the exit code
    public int run(List<String> arguments) {
        try {
            return run(KubectlLine.parse(arguments)) ? 0 : 1;
        } catch (StatusError e) {
            err.println(words(e));
        } catch (ClientProblem | JsonText.Malformed | Durations.Malformed e) {
            err.println("error: " + e.getMessage());
        } catch (IOException e) {
            err.println("error: " + e);
        }
        return 1;
    }

    private static String words(StatusError problem) {
        return "Error from server (" + problem.reason().wire() + "): " + problem.text();
    }

    private boolean run(KubectlLine line) throws IOException {
        return switch (line.verb()) {
            case "get" -> get(line);
            case "apply" -> eachObject(line, this::apply);
            case "create" -> eachObject(line, creation(line.value("--output")));
            case "delete" -> delete(line);
            case "patch" -> patch(line);
            case "label" -> mark(line, "labels", "labeled");
            case "annotate" -> mark(line, "annotations", "annotated");
            case "wait" -> await(line);
            case "logs" -> logs(line);
            case "help", "options" -> {
                out.print(HELP + KubectlLine.SMALL + "\n");
                yield true;
            }
            case "version" -> {
                out.println("Client Version: v1.35.0-towtank (" + KubectlLine.SMALL + ")");
                yield true;
            }
            default ->
                throw new ClientProblem("unknown command \"" + line.verb() + "\" for \"kubectl\" (" + KubectlLine.SMALL
                        + "). There are get, apply, create, delete, patch, label, annotate, wait and logs");
        };
    }

    private String namespace(KubectlLine line) {
        var asked = line.value("--namespace");
        return line.has("--all-namespaces") ? "" : asked.isEmpty() ? client.namespace() : asked;
    }

    private boolean get(KubectlLine line) {
        var output = line.value("--output");
        if (line.words().isEmpty()) {
            throw new ClientProblem("You must specify the type of resource to get.");
        }
        if (output.startsWith("jsonpath=")) {
            var template = JsonPathTemplate.parse(output.substring("jsonpath=".length()));
            out.print(template.of(found(line)));
            return true;
        }
        var format = switch (output) {
            case "" -> GetView.Format.TABLE;
            case "wide" -> GetView.Format.WIDE;
            case "json" -> GetView.Format.JSON;
            case "yaml" -> GetView.Format.YAML;
            case "name" -> GetView.Format.NAME;
            default ->
                throw new ClientProblem("unable to match a printer suitable for the output format \"" + output + "\" ("
                        + KubectlLine.SMALL + ")");
        };
        var options = new GetView.Options(
                namespace(line),
                format,
                line.value("--selector"),
                line.value("--field-selector"),
                !line.has("--no-headers"));
        return new GetView(client, options, out, err, SmallKubectl::words).show(line.words());
    }

    /// The one object that is named, or a List of those that there are.
    private Json.Obj found(KubectlLine line) {
        var wanted = Wanted.parse(line.words(), Discovery.of(client));
        var objects = new ArrayList<Json>();
        for (var part : wanted.parts()) {
            if (part.names().isEmpty()) {
                var query = line.value("--selector").isEmpty()
                        ? ""
                        : "?labelSelector=" + ResourceType.segment(line.value("--selector"));
                objects.addAll(
                        client.get(part.type().path(namespace(line)) + query).objects("items"));
            }
            for (var name : part.names()) {
                objects.add(client.get(part.type().path(namespace(line), name)));
            }
        }
        boolean one =
                wanted.parts().size() == 1 && wanted.parts().getFirst().names().size() == 1;
        return one && objects.getFirst() instanceof Json.Obj object
                ? object
                : Json.Obj.of("apiVersion", Json.of("v1"), "kind", Json.of("List"))
                        .with("items", new Json.Arr(objects));
    }

    private interface Action {
        void on(ResourceType type, String namespace, Json.Obj object);
    }

    private boolean eachObject(KubectlLine line, Action action) {
        if (line.values("--filename").isEmpty() || !line.words().isEmpty()) {
            throw new ClientProblem("must specify -f FILE, and nothing else (" + KubectlLine.SMALL + ")");
        }
        var discovery = Discovery.of(client);
        for (var object : objects(line)) {
            var type = type(discovery, object);
            var own = object.string("metadata", "namespace");
            action.on(type, own.isEmpty() ? namespace(line) : own, object);
        }
        return true;
    }

    private List<Json.Obj> objects(KubectlLine line) {
        var objects = new ArrayList<Json.Obj>();
        for (var name : line.values("--filename")) {
            var content = files.get(name);
            if (content == null) {
                throw new ClientProblem("the path \"" + name + "\" does not exist");
            }
            for (var document : YamlText.parseAll(content)) {
                if (document instanceof Json.Obj object) {
                    objects.addAll(object.string("kind").endsWith("List") ? object.objects("items") : List.of(object));
                }
            }
        }
        if (objects.isEmpty()) {
            throw new ClientProblem("no objects passed to " + line.verb());
        }
        return objects;
    }

    private static ResourceType type(Discovery discovery, Json.Obj object) {
        var version = object.string("apiVersion");
        int slash = version.indexOf('/');
        var group = slash < 0 ? "" : version.substring(0, slash);
        return discovery.types().stream()
                .filter(each -> each.kind().equals(object.string("kind"))
                        && each.group().equals(group))
                .findFirst()
                .orElseThrow(() -> new ClientProblem("no matches for kind \"" + object.string("kind")
                        + "\" in version \"" + version + "\"\nensure CRDs are installed first"))
                .at(version.substring(slash + 1));
    }

    private static String title(ResourceType type, Json.Obj object) {
        return type.prefix() + "/" + object.string("metadata", "name");
    }

    /// Whether applying has changed nothing; controllers may have, in between.
    private static boolean isSame(Json.Obj before, Json.Obj after, Json.Obj applied) {
        return revision(before).equals(revision(after))
                || (owned(before).equals(owned(after)) && part(before, applied).equals(part(after, applied)));
    }

    private static String revision(Json.Obj object) {
        return object.string("metadata", "resourceVersion");
    }

    /// The fields that were applied; one that no longer is one of them has gone.
    private static Json.Obj owned(Json.Obj object) {
        return object.objects("metadata", "managedFields").stream()
                .filter(entry -> entry.string("manager").equals(MANAGER)
                        && entry.string("operation").equals("Apply"))
                .findFirst()
                .map(entry -> entry.object("fieldsV1"))
                .orElse(Json.Obj.EMPTY);
    }

    /// What an object has of the fields that another has.
    private static Json.Obj part(Json.Obj object, Json.Obj of) {
        var part = Json.Obj.builder();
        of.forEach((key, value) -> {
            var own = object.get(key);
            if (own instanceof Json.Obj inner && value instanceof Json.Obj fields) {
                part.put(key, part(inner, fields));
            } else if (own != null) {
                part.put(key, own);
            }
        });
        return part.build();
    }

    private void apply(ResourceType type, String namespace, Json.Obj object) {
        var path = type.path(namespace, object.string("metadata", "name"));
        var before = client.find(path);
        Json.Obj after;
        try {
            after = client.send("PATCH", path + "?fieldManager=" + MANAGER + "&force=true", APPLY, object);
        } catch (StatusError e) {
            if (before.isPresent() || !e.is(StatusError.Reason.FORBIDDEN)) {
                throw e;
            }
            // Who may create need not be allowed to change: kubectl itself creates what is not there.
            after = client.send("POST", type.path(namespace) + "?fieldManager=" + MANAGER, ApiClient.JSON, object);
        }
        var what = before.isEmpty() ? " created" : isSame(before.get(), after, object) ? " unchanged" : " configured";
        out.println(title(type, after) + what);
    }

    /// Scripts ask for the name that the server made up.
    private Action creation(String output) {
        boolean isPath = output.startsWith("jsonpath=");
        if (!isPath && !output.isEmpty() && !output.equals("name")) {
            throw new ClientProblem("unable to match a printer suitable for the output format \"" + output + "\" ("
                    + KubectlLine.SMALL + ")");
        }
        return (type, namespace, object) -> {
            var made = client.send("POST", type.path(namespace), ApiClient.JSON, object);
            if (isPath) {
                out.print(JsonPathTemplate.parse(output.substring("jsonpath=".length()))
                        .of(made));
            } else {
                out.println(title(type, made) + (output.isEmpty() ? " created" : ""));
            }
        };
    }

    private boolean delete(KubectlLine line) {
        if (!line.values("--filename").isEmpty()) {
            return eachObject(
                    line,
                    (type, namespace, object) -> delete(line, type, namespace, object.string("metadata", "name")));
        }
        for (var part : Wanted.parse(line.words(), Discovery.of(client)).parts()) {
            var names = new ArrayList<>(part.names());
            if (names.isEmpty()) {
                if (!line.has("--all") && line.value("--selector").isEmpty()) {
                    throw new ClientProblem("resource(s) were provided, but no name was specified");
                }
                var query = "?labelSelector=" + ResourceType.segment(line.value("--selector"));
                client.get(part.type().path(namespace(line)) + query)
                        .objects("items")
                        .forEach(each -> names.add(each.string("metadata", "name")));
            }
            names.forEach(name -> delete(line, part.type(), namespace(line), name));
        }
        return true;
    }

    private void delete(KubectlLine line, ResourceType type, String namespace, String name) {
        var path = type.path(namespace, name);
        var grace = line.has("--now") ? "1" : line.value("--grace-period");
        try {
            var options = grace.isEmpty()
                    ? Json.Obj.EMPTY
                    : Json.Obj.of("gracePeriodSeconds", Json.of(Long.parseLong(grace)));
            client.send("DELETE", path, ApiClient.JSON, options);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.NOT_FOUND) || !line.has("--ignore-not-found")) {
                throw e;
            }
            return;
        }
        out.println(type.prefix() + " \"" + name + "\" deleted");
        if (!line.value("--wait").equals("false")) {
            var _ = new KubectlWait(client).until(type, namespace, name, KubectlWait.GONE, Duration.ofMinutes(1));
        }
    }

    private boolean patch(KubectlLine line) {
        var mediaType = PATCHES.get(line.value("--type"));
        if (mediaType == null) {
            throw new ClientProblem(
                    "--type must be one of [json merge strategic], not \"" + line.value("--type") + "\"");
        }
        var patch = YamlText.parse(line.value("--patch"));
        for (var part : Wanted.parse(line.words(), Discovery.of(client)).parts()) {
            for (var name : part.names()) {
                var path = part.type().path(namespace(line), name);
                var before = client.get(path);
                var after = client.sendAny("PATCH", path + "?fieldManager=kubectl-patch", mediaType, patch);
                var same = revision(before).equals(revision(after)) ? " (no change)" : "";
                out.println(title(part.type(), after) + " patched" + same);
            }
        }
        return true;
    }

    private boolean mark(KubectlLine line, String field, String done) {
        var targets = new ArrayList<String>();
        var marks = Json.Obj.EMPTY;
        for (var word : line.words()) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                marks = marks.with(word.substring(0, equals), Json.of(word.substring(equals + 1)));
            } else if (word.endsWith("-")) {
                marks = marks.with(word.substring(0, word.length() - 1), Json.Null.NULL);
            } else {
                targets.add(word);
            }
        }
        if (targets.isEmpty() || marks.keys().isEmpty()) {
            throw new ClientProblem("a kind, a name, and at least one KEY=VALUE or KEY- are needed");
        }
        for (var part : Wanted.parse(targets, Discovery.of(client)).parts()) {
            for (var name : part.names()) {
                var path = part.type().path(namespace(line), name);
                refuseOverwriting(line, client.get(path).object("metadata", field), marks);
                var after = client.mergePatch(path, Json.Obj.of("metadata", Json.Obj.of(field, marks)));
                out.println(title(part.type(), after) + " " + done);
            }
        }
        return true;
    }

    private static void refuseOverwriting(KubectlLine line, Json.Obj before, Json.Obj marks) {
        for (var key : marks.keys()) {
            var old = before.get(key);
            if (!line.has("--overwrite")
                    && old != null
                    && marks.get(key) instanceof Json.Str
                    && !old.equals(marks.get(key))) {
                throw new ClientProblem(
                        "'" + key + "' already has a value (" + before.string(key) + "), and --overwrite is false");
            }
        }
    }

    private boolean await(KubectlLine line) {
        var condition = KubectlWait.condition(line.value("--for"));
        var timeout =
                line.value("--timeout").isEmpty() ? Duration.ofSeconds(30) : Durations.parse(line.value("--timeout"));
        boolean all = true;
        for (var part : Wanted.parse(line.words(), Discovery.of(client)).parts()) {
            for (var name : names(line, part)) {
                boolean met = new KubectlWait(client).until(part.type(), namespace(line), name, condition, timeout);
                if (met) {
                    out.println(part.type().prefix() + "/" + name + " condition met");
                } else {
                    err.println("error: timed out waiting for the condition on "
                            + part.type().plural() + "/" + name);
                }
                all &= met;
            }
        }
        return all;
    }

    private List<String> names(KubectlLine line, Wanted.Part part) {
        if (!part.names().isEmpty()) {
            return part.names();
        }
        var query = "?labelSelector=" + ResourceType.segment(line.value("--selector"));
        var names = client.get(part.type().path(namespace(line)) + query).objects("items").stream()
                .map(each -> each.string("metadata", "name"))
                .toList();
        if (names.isEmpty()) {
            throw new ClientProblem("no matching resources found");
        }
        return names;
    }

    private boolean logs(KubectlLine line) throws IOException {
        if (line.words().size() != 1) {
            throw new ClientProblem("expected 'logs POD' (" + KubectlLine.SMALL + ")");
        }
        var word = line.words().getFirst();
        var pod = word.startsWith("pod/") ? word.substring(4) : word.startsWith("pods/") ? word.substring(5) : word;
        var query = new StringBuilder("?follow=" + line.has("--follow") + "&timestamps=" + line.has("--timestamps")
                + "&previous=" + line.has("--previous"));
        if (!line.value("--container").isEmpty()) {
            query.append("&container=").append(ResourceType.segment(line.value("--container")));
        }
        if (line.value("--tail").matches("\\d+")) {
            query.append("&tailLines=").append(line.value("--tail"));
        }
        if (!line.value("--since").isEmpty()) {
            query.append("&sinceSeconds=")
                    .append(Durations.parse(line.value("--since")).toSeconds());
        }
        try (var log = client.stream(ResourceType.PODS.path(namespace(line), pod) + "/log" + query)) {
            log.transferTo(out);
        }
        return true;
    }
}
