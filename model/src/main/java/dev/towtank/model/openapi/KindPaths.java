package dev.towtank.model.openapi;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The paths under which one kind is served, and what can be done there.
///
/// @param root of the group version: `/apis/apps/v1`
record KindPaths(Kind<?> kind, String root, Dialect dialect, Definitions definitions) {

    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final List<String> PATCH_TYPES = List.of(
            "application/json-patch+json", "application/merge-patch+json", STRATEGIC, "application/apply-patch+yaml");

    /// What can be done, with the word of Kubernetes for it, the verb of its operation id, and whether it takes a body.
    private enum Action {
        LIST("get", "list", "list"),
        CREATE("post", "post", "create"),
        DELETE_COLLECTION("delete", "deletecollection", "delete"),
        READ("get", "get", "read"),
        REPLACE("put", "put", "replace"),
        PATCH("patch", "patch", "patch"),
        DELETE("delete", "delete", "delete");

        private final String method;
        private final String word;
        private final String verb;

        Action(String method, String word, String verb) {
            this.method = method;
            this.word = word;
            this.verb = verb;
        }
    }

    Map<String, Json.Obj> all() {
        var paths = new TreeMap<String, Json.Obj>();
        var collection = root + (kind.isNamespaced() ? "/namespaces/{namespace}/" : "/") + kind.plural();
        if (isReview(kind)) {
            paths.put(collection, item(List.of(Action.CREATE), "", false));
            return paths;
        }
        paths.put(collection, item(List.of(Action.LIST, Action.CREATE, Action.DELETE_COLLECTION), "", false));
        if (kind.isNamespaced()) {
            paths.put(
                    root + "/" + kind.plural(),
                    Json.Obj.of("get", operation(Action.LIST, "ForAllNamespaces"), "parameters", Json.Arr.EMPTY));
        }
        var one = List.of(Action.READ, Action.REPLACE, Action.PATCH, Action.DELETE);
        paths.put(collection + "/{name}", item(one, "", true));
        var part = List.of(Action.READ, Action.REPLACE, Action.PATCH);
        if (kind.hasStatus()) {
            paths.put(collection + "/{name}/status", item(part, "Status", true));
        }
        if (kind.scale().isPresent()) {
            paths.put(collection + "/{name}/scale", item(part, "Scale", true));
        }
        return paths;
    }

    // A question that is answered at once, and never stored.
    static boolean isReview(Kind<?> kind) {
        return kind.kind().endsWith("Review")
                && (kind.group().startsWith("authentication.") || kind.group().startsWith("authorization."));
    }

    private Json.Obj item(List<Action> actions, String subresource, boolean named) {
        var builder = Json.Obj.builder();
        actions.forEach(action -> builder.put(action.method, operation(action, subresource)));
        var parameters = new ArrayList<Json>();
        if (named) {
            parameters.add(path("name", "name of the " + kind.kind()));
        }
        if (kind.isNamespaced()) {
            parameters.add(path("namespace", "the namespace that the object is in"));
        }
        return builder.put("parameters", new Json.Arr(parameters)).build();
    }

    private Json.Obj operation(Action action, String suffix) {
        boolean scale = suffix.equals("Scale");
        var shown = scale ? "io.k8s.api.autoscaling.v1.Scale" : definitions.name(kind);
        var answer = switch (action) {
            case LIST -> definitions.name(kind) + "List";
            case DELETE, DELETE_COLLECTION -> Definitions.META + "Status";
            case CREATE, READ, REPLACE, PATCH -> shown;
        };
        var builder = Json.Obj.builder()
                .put("description", description(action, suffix))
                .put("operationId", operationId(action, suffix))
                .put("tags", Json.Arr.of(Json.of(tag())));
        describeExchange(builder, action, shown, definitions.reference(answer));
        return builder.put("x-kubernetes-action", action.word)
                .put(
                        "x-kubernetes-group-version-kind",
                        scale
                                ? Definitions.identity("autoscaling", "v1", "Scale")
                                : Definitions.identity(kind.group(), kind.version(), kind.kind()))
                .build();
    }

    private void describeExchange(ObjectBuilder builder, Action action, String shown, Json.Obj answer) {
        var parameters = new ArrayList<>(query(action));
        var body = switch (action) {
            case CREATE, REPLACE -> definitions.reference(shown);
            case PATCH -> dialect.reference(Definitions.PATCH);
            case DELETE, DELETE_COLLECTION -> definitions.reference(Definitions.META + "DeleteOptions");
            case LIST, READ -> Json.Obj.EMPTY;
        };
        var types = action == Action.PATCH ? patchTypes() : List.of("*/*");
        var answers = List.of("application/json", "application/yaml");
        var ok = Json.Obj.builder().put("description", "OK");
        switch (dialect) {
            case V2 -> {
                builder.put("consumes", Json.Arr.ofStrings(types)).put("produces", Json.Arr.ofStrings(answers));
                if (body.size() > 0) {
                    parameters.add(Json.Obj.builder()
                            .put("in", "body")
                            .put("name", "body")
                            .put("required", action != Action.DELETE && action != Action.DELETE_COLLECTION)
                            .put("schema", body)
                            .build());
                }
                ok.put("schema", answer);
            }
            case V3 -> {
                if (body.size() > 0) {
                    builder.put("requestBody", Json.Obj.of("content", content(types, body)));
                }
                ok.put("content", content(answers, answer));
            }
        }
        builder.put("parameters", new Json.Arr(parameters))
                .put(
                        "responses",
                        Json.Obj.of(
                                action == Action.CREATE ? "201" : "200",
                                ok.build(),
                                "401",
                                Json.Obj.of("description", Json.of("Unauthorized"))));
    }

    // Clients choose among these. How the lists of a custom kind merge is known to server-side apply alone.
    private List<String> patchTypes() {
        return Schemas.builtin().find(kind).isPresent()
                ? PATCH_TYPES
                : PATCH_TYPES.stream().filter(type -> !type.equals(STRATEGIC)).toList();
    }

    private static Json.Obj content(List<String> types, Json.Obj schema) {
        var builder = Json.Obj.builder();
        types.forEach(type -> builder.put(type, Json.Obj.of("schema", schema)));
        return builder.build();
    }

    private List<Json> query(Action action) {
        return switch (action) {
            case LIST ->
                List.of(
                        query("allowWatchBookmarks", "boolean", "whether a watch may send bookmarks"),
                        query("continue", "string", "where the last page of this list ended"),
                        query("fieldSelector", "string", "selects objects by their fields"),
                        query("labelSelector", "string", "selects objects by their labels"),
                        query("limit", "integer", "how many objects a page may have"),
                        query("resourceVersion", "string", "the version to list at or to watch from"),
                        query("resourceVersionMatch", "string", "how the version is to be understood"),
                        query("sendInitialEvents", "boolean", "whether a watch begins with what is there"),
                        query("timeoutSeconds", "integer", "when the list or watch ends"),
                        query("watch", "boolean", "whether to go on with the changes"));
            case READ -> List.of();
            case CREATE, REPLACE -> List.of(dryRun(), fieldManager(), fieldValidation());
            case PATCH ->
                List.of(
                        dryRun(),
                        fieldManager(),
                        fieldValidation(),
                        query("force", "boolean", "whether an apply takes fields that others own"));
            case DELETE, DELETE_COLLECTION ->
                List.of(
                        dryRun(),
                        query("gracePeriodSeconds", "integer", "how long the object may take to end"),
                        query("orphanDependents", "boolean", "deprecated: use propagationPolicy"),
                        query("propagationPolicy", "string", "Orphan, Background or Foreground"));
        };
    }

    private Json dryRun() {
        return query("dryRun", "string", "All: does everything but store the result");
    }

    private Json fieldManager() {
        return query("fieldManager", "string", "who makes the change");
    }

    private Json fieldValidation() {
        return query("fieldValidation", "string", "Ignore, Warn or Strict: what becomes of unknown fields");
    }

    private Json query(String name, String type, String description) {
        return parameter("query", name, type, description, false);
    }

    private Json path(String name, String description) {
        return parameter("path", name, "string", description, true);
    }

    private Json parameter(String in, String name, String type, String description, boolean required) {
        var builder =
                Json.Obj.builder().put("description", description).put("in", in).put("name", name);
        if (required) {
            builder.put("required", true);
        }
        return switch (dialect) {
            case V2 -> builder.put("type", type).put("uniqueItems", true).build();
            case V3 ->
                builder.put("schema", Json.Obj.of("type", Json.of(type), "uniqueItems", Json.of(true)))
                        .build();
        };
    }

    private String description(Action action, String suffix) {
        var subject = suffix.isEmpty() || suffix.equals("ForAllNamespaces")
                ? kind.kind()
                : suffix.toLowerCase(Locale.ROOT) + " of a " + kind.kind();
        return switch (action) {
            case LIST -> "list or watch objects of kind " + kind.kind();
            case CREATE -> "create a " + subject;
            case DELETE_COLLECTION -> "delete a collection of " + subject;
            case READ -> "read the " + subject;
            case REPLACE -> "replace the " + subject;
            case PATCH -> "partially update the " + subject;
            case DELETE -> "delete a " + subject;
        };
    }

    private String operationId(Action action, String suffix) {
        boolean inNamespace = kind.isNamespaced() && !suffix.equals("ForAllNamespaces");
        return action.verb
                + capital(groupWord())
                + capital(kind.version())
                + (action == Action.DELETE_COLLECTION ? "Collection" : "")
                + (inNamespace ? "Namespaced" : "")
                + kind.kind()
                + suffix;
    }

    private String tag() {
        return groupWord() + "_" + kind.version();
    }

    private String groupWord() {
        if (kind.group().isEmpty()) {
            return "core";
        }
        var parts = kind.group().replaceFirst("\\.k8s\\.io$", "").split("\\.", -1);
        var word = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            word.append(capital(parts[i]));
        }
        return word.toString();
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
