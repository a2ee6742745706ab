package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.FieldNames;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Fixes;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.app.lint.source.Places;
import dev.towtank.app.lint.source.Trees;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Pruning;
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

    private static final Pattern DOCUMENTS = Pattern.compile("(^|/)(docs?|documentation|user-guides?|samples?)/");
    private static final Pattern DESCRIPTION = Pattern.compile(
            "\\S +\\S+ +\\S|[xX*]{4}|(?i)\\b(your|base64|b64|example|sample|change-?me|replace|insert|placeholder"
                    + "|redacted|todo)");
    private static final Pattern PATH = Pattern.compile("^((?:spec|metadata)[\\w.\\[\\]-]*)");

    /// Each pod has an account by the time that it is looked at.
    private static final String GIVEN_BEFORE = "must not be specified when serviceAccountName is not set";

    /// What kubebuilder writes into a sample, for somebody to write something else.
    private static final String OF_A_SCAFFOLD = "spec.foo";

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
                var found = Places.find(document, e.path());
                boolean isDescribed = e.text().contains("base64") && (isExcerpt() || isDescription(found));
                if (!isDescribed && !isToBeFilledIn(found)) {
                    var finding = new WrongType(document, e).finding();
                    seen.add(document.isPart() ? finding.at(Level.INFO) : finding);
                }
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
        // sops writes its own notes beside what it encrypts.
        if (path.equals("sops") || path.equals(OF_A_SCAFFOLD) || Placeholder.isIn(path)) {
            return;
        }
        var found = Places.find(document, path);
        var name = path.substring(path.lastIndexOf('.') + 1);
        var message = "unknown field \"" + path + "\"";
        var meant = Schemas.builtin()
                .find(kind)
                .map(type -> FieldNames.at(type, parent(path)))
                .flatMap(names -> Similar.to(name, names));
        var finding = Finding.of(
                Rule.UNKNOWN_FIELD,
                found.key(document),
                message,
                meant.map(each -> "Did you mean \"" + each + "\"?").orElse(""));
        // Who forgets a field without a value forgets nothing.
        var certain = found.isThere() && found.isEmpty() ? finding.at(Level.WARNING) : finding;
        seen.add(meant.filter(each -> each.equalsIgnoreCase(name) && found.isThere())
                .map(each -> certain.with(Fixes.rename(certain.place(), each)))
                .orElse(certain));
    }

    private static String parent(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    private void validate(Json.Obj given) {
        var rules = kind.rules();
        var object = kind.hasStatus() ? given.without("status") : given;
        object = rules.prepareCreate(rules.defaults(named(object, kind.isNamespaced())));
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

    // What this server does not do is no mistake of those who write for others.
    private void warned(String warning) {
        if (warning.contains("is stored but not enforced")) {
            return;
        }
        var path = PATH.matcher(warning);
        var found = Places.find(document, path.find() ? path.group(1) : "kind");
        var finding = Finding.of(Rule.SERVER_WARNING, found.value(document), warning, "");
        // Definitions are written by generators, names by charts, and nobody can do anything about it.
        boolean isOfNoUse = warning.startsWith("unrecognized format")
                || warning.contains("a DNS label is recommended")
                // A port that two containers list is for whoever reads it.
                || warning.contains("duplicate port definition")
                // It stays served, and works.
                || warning.contains("deprecated")
                || warning.contains("non-functional");
        seen.add(isOfNoUse ? finding.at(Level.INFO) : finding);
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
                || isName(error, found)
                || Placeholder.isIn(error.message())
                || error.message().endsWith(NOT_ALL_CHECKED)
                || isOfABrokenVolume(error, found)
                || isNameOfAnImage(error)) {
            return;
        }
        boolean isVolume =
                error.type() == FieldError.Type.NOT_FOUND && error.path().contains("volumeMounts");
        var finding = Finding.of(
                isVolume ? Rule.UNDEFINED_VOLUME : Rule.REFUSED,
                found.value(document),
                error.message(),
                advice(error, isVolume));
        boolean isElsewhere =
                (error.type() == FieldError.Type.REQUIRED && isExcerpt()) || isPartOfAWorkload() || document.isPart();
        if (error.message().contains(GIVEN_BEFORE)) {
            return;
        }
        seen.add(isElsewhere ? finding.at(Level.INFO) : finding);
    }

    /// A volume that is wrong itself does not count for the server, and that is told where it stands.
    private boolean isOfABrokenVolume(FieldError error, Places found) {
        return error.type() == FieldError.Type.NOT_FOUND
                && found.value().json() instanceof Json.Str(var name)
                && document.root().all().stream()
                        .flatMap(each -> each.list("volumes").stream())
                        .anyMatch(volume -> volume.text("name").equals(name));
    }

    /// OpenShift lets image streams have the names that images have.
    private boolean isNameOfAnImage(FieldError error) {
        return document.group().equals("image.openshift.io")
                && error.path().equals("metadata.name")
                && document.name().matches("[a-z0-9]+([._:-]+[a-z0-9]+)*");
    }

    /// Documents show of an object what they speak of.
    private boolean isExcerpt() {
        return DOCUMENTS.matcher(document.source().file()).find();
    }

    /// A workload without a selector and without labels of its pods is one that is merged into another.
    private boolean isPartOfAWorkload() {
        var root = document.root();
        return document.apiVersion().equals("apps/v1")
                && root.at("spec", "selector") == null
                && root.at("spec", "template", "metadata", "labels") == null
                && !root.list("spec", "template", "spec", "containers").isEmpty();
    }

    /// Whether it is a word in capitals where a name belongs.
    private static boolean isName(FieldError error, Places found) {
        return found.isThere()
                && found.value().json() instanceof Json.Str(var text)
                && text.matches("[A-Z][A-Z0-9]{3,}")
                && (error.message().contains("RFC 1123") || error.message().contains("should match '^[a-z0-9]"));
    }

    /// Whether somebody fills in the value later.
    private static boolean isPlaceholder(Places found) {
        return found.isThere() && found.value().json() instanceof Json.Str(var text) && Placeholder.isIn(text);
    }

    /// Whether a value says what belongs into its place: "your private key in base64", "EXAMPLE".
    private static boolean isDescription(Places found) {
        return found.isThere()
                && found.value().json() instanceof Json.Str(var text)
                && (DESCRIPTION.matcher(text).find() || text.strip().matches("[A-Z_-]{4,}"));
    }

    /// The same for a value whose text is not shown, or that stands in a template.
    private boolean isToBeFilledIn(Places found) {
        return isPlaceholder(found)
                || standsIn(found)
                || found.value().fields().keySet().stream().anyMatch(Placeholder::isIn)
                || (found.isThere()
                        && document.origin() != Document.Origin.PLAIN
                        && document.source().line(found.value().start().line()).contains("{{"));
    }

    private static boolean standsIn(Places found) {
        var value = found.value();
        var words = value.items().isEmpty() ? List.of(value) : value.items();
        return found.isThere()
                && words.stream()
                        .allMatch(each -> each.json() instanceof Json.Str(var text) && Placeholder.standsIn(text));
    }

    private static String advice(FieldError error, boolean isVolume) {
        if (isVolume) {
            return "Declare it under 'volumes' of the pod.";
        }
        return error.type() == FieldError.Type.REQUIRED ? "Add " + lastName(error.path()) + "." : "";
    }

    // Keys of maps stand in brackets, and may have dots.
    private static String lastName(String path) {
        int bracket = path.endsWith("]") ? path.lastIndexOf('[') : -1;
        return bracket < 0 ? path.substring(path.lastIndexOf('.') + 1) : path.substring(bracket + 1, path.length() - 1);
    }
}
