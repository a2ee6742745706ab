package dev.towtank.app.lint;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Pruning;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.ObjectMetas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a server would say to one new object of a kind: the way of a create, with every mistake told at once.
record ObjectAdmission(Document document, Kind<?> kind, Observations seen) {

    private static final int MOST_MISTAKES = 20;
    /// What follows from other mistakes, which are told.
    private static final String NOT_ALL_CHECKED =
            "some validation rules were not checked because the object was invalid;"
                    + " correct the existing errors to complete validation";

    private static final Pattern PATH = Pattern.compile("^((?:spec|metadata)[\\w.\\[\\]-]*)");

    void check() {
        var unknown = new ArrayList<String>();
        var known = prune(unknown);
        unknown.stream().distinct().forEach(this::unknownField);
        if (known.isEmpty()) {
            return;
        }
        try {
            validate(known.get());
        } catch (StatusError e) {
            seen.add(Rule.REFUSED, Places.find(document, "metadata.name").value(document), e.text(), "");
        }
    }

    // Each value of a wrong type is taken away and reported, so that the next ones are found as well.
    private Optional<Json.Obj> prune(List<String> unknown) {
        var object = document.json();
        boolean isWhole = true;
        for (int i = 0; i < MOST_MISTAKES; i++) {
            try {
                unknown.clear();
                var type = Schemas.builtin().find(kind);
                var known = type.isEmpty()
                        ? kind.rules().prune(object, unknown::add)
                        : Pruning.prune(object, type.get(), unknown::add);
                return isWhole ? Optional.of(known) : Optional.empty();
            } catch (Pruning.Mismatch e) {
                seen.add(new WrongType(document, e).finding());
                isWhole = false;
                var fewer = Trees.without(object, document.root(), e.path());
                if (fewer.equals(object)) {
                    return Optional.empty();
                }
                object = fewer;
            } catch (StatusError e) {
                seen.add(Rule.WRONG_TYPE, Places.find(document, "metadata").key(document), e.text(), "");
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private void unknownField(String path) {
        var found = Places.find(document, path);
        var name = path.substring(path.lastIndexOf('.') + 1);
        var message = "unknown field \"" + path + "\"";
        var meant = Schemas.builtin()
                .find(kind)
                .map(type -> SchemaNames.at(type, parent(path)))
                .flatMap(names -> Similar.to(name, names));
        var finding = Finding.of(
                Rule.UNKNOWN_FIELD,
                found.key(document),
                message,
                meant.map(each -> "Did you mean \"" + each + "\"?").orElse(""));
        seen.add(meant.filter(each -> each.equalsIgnoreCase(name) && found.isThere())
                .map(each -> finding.with(Fixes.rename(finding.place(), each)))
                .orElse(finding));
    }

    private static String parent(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    private void validate(Json.Obj given) {
        var rules = kind.rules();
        var object = kind.hasStatus() ? given.without("status") : given;
        object = rules.defaults(rules.prepareCreate(named(object, kind.isNamespaced())));
        var errors = new FieldError.Collector();
        ObjectMetas.validate(kind, object.object("metadata"), errors);
        rules.validate(object, errors);
        rules.validateCreate(object, errors);
        errors.errors().stream().distinct().forEach(this::refused);
        if (errors.isEmpty()) {
            rules.refusal(object, null).ifPresent(refusal -> {
                throw refusal;
            });
            rules.warnings(object).forEach(this::warned);
        }
    }

    private void warned(String warning) {
        var path = PATH.matcher(warning);
        var found = Places.find(document, path.find() ? path.group(1) : "kind");
        seen.add(Rule.SERVER_WARNING, found.value(document), warning, "");
    }

    /// With the identity that the server would give it.
    static Json.Obj named(Json.Obj object, boolean isNamespaced) {
        var metadata = object.object("metadata");
        var prefix = metadata.string("generateName");
        if (metadata.string("name").isEmpty() && !prefix.isEmpty()) {
            metadata = metadata.with("name", Json.of(prefix.substring(0, Math.min(58, prefix.length())) + "xxxxx"));
        }
        if (isNamespaced && metadata.string("namespace").isEmpty()) {
            metadata = metadata.with("namespace", Json.of("default"));
        }
        metadata = metadata.with("uid", Json.of("00000000-0000-4000-8000-000000000000"));
        return object.with("metadata", isNamespaced ? metadata : metadata.without("namespace"));
    }

    private void refused(FieldError error) {
        var found = Places.find(document, error.path());
        if (isPlaceholder(found)
                || isPlaceholder(error.message())
                || error.message().endsWith(NOT_ALL_CHECKED)) {
            return;
        }
        boolean isVolume =
                error.type() == FieldError.Type.NOT_FOUND && error.path().contains("volumeMounts");
        seen.add(
                isVolume ? Rule.UNDEFINED_VOLUME : Rule.REFUSED,
                found.value(document),
                error.message(),
                advice(error, isVolume));
    }

    /// Whether another tool fills in the value later: `$(name)` of Kustomize, `${NAME}` of envsubst and Flux.
    private static boolean isPlaceholder(Places found) {
        return found.isThere() && found.value().json() instanceof Json.Str(var text) && isPlaceholder(text);
    }

    private static boolean isPlaceholder(String text) {
        return text.contains("$(") || text.contains("${") || text.contains("{{");
    }

    private static String advice(FieldError error, boolean isVolume) {
        if (isVolume) {
            return "Declare it under 'volumes' of the pod.";
        }
        return error.type() == FieldError.Type.REQUIRED
                ? "Add " + error.path().substring(error.path().lastIndexOf('.') + 1) + "."
                : "";
    }

    /// The names that fields may have at a place in a type.
    private static final class SchemaNames {
        static List<String> at(Schema.Type type, String path) {
            var here = type;
            for (var step : path.replaceAll("\\[[^]]*]", "").split("\\.", -1)) {
                if (step.isEmpty()) {
                    continue;
                }
                var field = here.field(step);
                if (field == null) {
                    return List.of();
                }
                var inner = objectIn(field.value());
                if (inner.isEmpty()) {
                    return List.of();
                }
                here = inner.get();
            }
            return here.jsonFields().stream().map(Schema.Field::name).toList();
        }

        private static Optional<Schema.Type> objectIn(Schema.Value value) {
            return switch (value) {
                case Schema.Value.ObjectOf(var type) -> Optional.of(type);
                case Schema.Value.ListOf(var element, var _, var _) -> objectIn(element);
                case Schema.Value.MapOf(var element, var _) -> objectIn(element);
                case Schema.Value.ScalarOf _ -> Optional.empty();
            };
        }
    }
}
