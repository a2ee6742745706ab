package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.OlderTekton;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.app.lint.source.Places;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.app.lint.source.Trees;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.Sidecar;
import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.validation.Admission;
import dev.towtank.controllers.pipelines.validation.Problem;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Located;
import dev.towtank.model.Pruning;
import dev.towtank.model.Records;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.ObjectMetas;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What Tekton's webhooks would say, every mistake at once.
///
/// @param settings the feature flags that count
/// @param target which releases count
record TektonAdmission(Settings settings, Target target) implements Check {

    private static final Map<String, Set<String>> SERVED = Map.of(
            "tekton.dev/v1", Set.of("Task", "TaskRun", "Pipeline", "PipelineRun"),
            "tekton.dev/v1beta1", Set.of("Task", "TaskRun", "Pipeline", "PipelineRun", "StepAction", "CustomRun"),
            "tekton.dev/v1alpha1", Set.of("StepAction", "VerificationPolicy"),
            "resolution.tekton.dev/v1beta1", Set.of("ResolutionRequest"),
            "resolution.tekton.dev/v1alpha1", Set.of("ResolutionRequest"));

    private static final Set<String> TOP = Set.of("apiVersion", "kind", "metadata", "spec", "status");
    private static final Pattern UNKNOWN = Pattern.compile("json: unknown field \"(.+)\"");
    private static final Pattern WITH_PATH =
            Pattern.compile("^([A-Za-z][\\w.\\[\\]-]*): (expected .*)$", Pattern.DOTALL);
    private static final String NOT_IN_SCRIPTS = "param substitution in scripts is not allowed.";
    private static final Pattern LINK =
            Pattern.compile("task (\\S+) depends on (\\S+) but \\S+ wasn't present in Pipeline");
    private static final Pattern ALPHA = Pattern.compile("(^|[/\\\\])alpha[/\\\\]");
    private static final int MOST_MISTAKES = 20;

    /// Fields of the older version, and what they are called now.
    private static final Map<String, String> MOVED = Map.of(
            "PipelineRun serviceAccountName", "taskRunTemplate: {serviceAccountName: …}",
            "PipelineRun podTemplate", "taskRunTemplate: {podTemplate: …}",
            "Task resources", "computeResources",
            "TaskRun resources", "computeResources",
            "TaskRun stepOverrides", "stepSpecs",
            "TaskRun sidecarOverrides", "sidecarSpecs");

    private static final Set<String> FIELDS = Stream.of(
                    Step.class,
                    Sidecar.class,
                    TaskSpec.class,
                    TaskRunSpec.class,
                    PipelineSpec.class,
                    PipelineTask.class,
                    PipelineRunSpec.class)
            .flatMap(type -> Stream.of(type.getRecordComponents()))
            .map(RecordComponent::getName)
            .collect(Collectors.toUnmodifiableSet());

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        if (!SERVED.getOrDefault(document.apiVersion(), Set.of()).contains(document.kind())) {
            return;
        }
        metadata(document, seen);
        var object = ObjectAdmission.named(document.json(), true);
        document.root().fields().forEach((name, field) -> {
            if (!TOP.contains(name)) {
                unknown(document, field, name, seen);
            }
        });
        try {
            review(document, object, seen);
        } catch (Records.Mismatch e) {
            seen.add(
                    Rule.WRONG_TYPE,
                    Places.find(document, e.path()).value(document),
                    String.valueOf(e.getMessage()),
                    "");
        }
    }

    private void review(Document document, Json.Obj given, Observations seen) {
        var object = given;
        var removed = Trees.parts();
        for (int i = 0; i < MOST_MISTAKES; i++) {
            var review = Admission.lint(object, settings);
            if (review.undecodable().isEmpty()) {
                review.problems().forEach(problem -> tell(document, problem, seen));
                return;
            }
            var fewer = undecodable(document, object, review.undecodable().get(), removed, seen);
            if (fewer.equals(object)) {
                return;
            }
            object = fewer;
        }
    }

    private static void metadata(Document document, Observations seen) {
        var kind = Kind.namespaced(document.group(), "v1", document.kind(), document.kind());
        var type = Schemas.builtin().type("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        var metadata = document.root().at("metadata");
        if (type.isEmpty() || metadata == null || !(metadata.json() instanceof Json.Obj given)) {
            return;
        }
        var inside = document.inner(metadata, Document.Origin.PLAIN);
        try {
            Pruning.prune(
                    given,
                    type.get(),
                    path -> seen.add(
                            Rule.UNKNOWN_FIELD,
                            Places.find(inside, path).key(document),
                            "unknown field \"metadata." + path + "\"",
                            ""));
        } catch (Pruning.Mismatch e) {
            seen.add(new WrongType(inside, e).finding());
            return;
        }
        var errors = new FieldError.Collector();
        ObjectMetas.validate(kind, ObjectAdmission.named(document.json(), true).object("metadata"), errors);
        errors.errors().stream()
                .filter(error -> !Placeholder.isIn(error.message()))
                .forEach(error -> seen.add(
                        Rule.REFUSED, Places.find(document, error.path()).value(document), error.message(), ""));
    }

    /// Tekton stops at the first field it does not know and does not say where it is: that is found by leaving
    /// out what might be meant.
    ///
    /// @return the object without the mistake
    private Json.Obj undecodable(
            Document document, Json.Obj object, String complaint, Set<Located> removed, Observations seen) {
        var unknown = UNKNOWN.matcher(complaint);
        if (!unknown.matches()) {
            return wrongType(document, object, complaint, removed, seen);
        }
        var name = unknown.group(1);
        var candidates = new ArrayList<Located.Field>();
        for (var each : document.root().all()) {
            var field = each.field(name);
            if (field != null && !removed.contains(field.value())) {
                candidates.add(field);
            }
        }
        var wrong = Trees.parts();
        for (var candidate : candidates.subList(0, Math.min(MOST_MISTAKES, candidates.size()))) {
            var others = Trees.parts();
            candidates.forEach(each -> others.add(each.value()));
            others.remove(candidate.value());
            if (complains(Trees.without(object, document.root(), others), complaint)) {
                unknown(document, candidate, name, seen);
                wrong.add(candidate.value());
            }
        }
        removed.addAll(wrong);
        return Trees.without(object, document.root(), wrong);
    }

    private boolean complains(Json.Obj object, String complaint) {
        try {
            return Admission.lint(object, settings)
                    .undecodable()
                    .filter(complaint::equals)
                    .isPresent();
        } catch (StatusError e) {
            return false; // it can be read, and what was left out is missed later
        }
    }

    private static Json.Obj wrongType(
            Document document, Json.Obj object, String complaint, Set<Located> removed, Observations seen) {
        var path = WITH_PATH.matcher(complaint);
        var place = path.matches() ? Places.find(document, "spec." + path.group(1)) : Places.find(document, "spec");
        boolean standsIn = place.value().json() instanceof Json.Str(var text) && Placeholder.standsIn(text);
        if (!standsIn) {
            seen.add(Rule.WRONG_TYPE, place.value(document), path.matches() ? "spec." + complaint : complaint, "");
        }
        if (!path.matches() || !place.isThere()) {
            return object;
        }
        removed.add(place.value());
        return Trees.without(object, document.root(), removed);
    }

    private static void unknown(Document document, Located.Field field, String name, Observations seen) {
        var place = document.key(field);
        boolean isTimeout = name.equals("timeout")
                && document.apiVersion().equals("tekton.dev/v1")
                && document.kind().equals("PipelineRun");
        if (isTimeout) {
            seen.add(timeout(document, field, place));
            return;
        }
        var moved = Optional.ofNullable(MOVED.get(document.kind() + " " + name));
        seen.add(Finding.of(
                        Rule.UNKNOWN_FIELD,
                        place,
                        document.kind() + " in " + document.apiVersion() + " has no field \"" + name + "\" here",
                        moved.map(each -> "Write " + each + ".")
                                .or(() -> Similar.to(name, FIELDS)
                                        .filter(each -> !each.equals(name))
                                        .map(each -> "Did you mean \"" + each + "\"?"))
                                .orElse(""))
                .at(levelOfUnknown(document, field, name)));
    }

    // Pipelines-as-Code forgets what it does not know, and Konflux makes bundles of names with versions.
    private static Level levelOfUnknown(Document document, Located.Field field, String name) {
        if (name.equals("version") && isInTaskRef(document, field)) {
            return Level.INFO;
        }
        boolean isOfPipelinesAsCode =
                document.source().file().replace('\\', '/').matches("(.*/)?\\.tekton/.*")
                        || document.json().object("metadata").object("annotations").keys().stream()
                                .anyMatch(key -> key.startsWith("pipelinesascode.tekton.dev/"));
        // Servers keep it, and Tekton reads it or not, depending on its release.
        boolean isWritten = FIELDS.stream().anyMatch(each -> each.equalsIgnoreCase(name) && !each.equals(name));
        return isOfPipelinesAsCode || isWritten ? Level.WARNING : Level.ERROR;
    }

    private static boolean isInTaskRef(Document document, Located.Field field) {
        return document.root().all().stream()
                .map(each -> each.at("taskRef"))
                .anyMatch(ref -> ref != null && field.equals(ref.field("version")));
    }

    private static Finding timeout(Document document, Located.Field field, SourcePlace place) {
        var finding = Finding.of(
                Rule.UNKNOWN_FIELD,
                place,
                "PipelineRun in tekton.dev/v1 has no field \"timeout\" any more",
                "Write timeouts: {pipeline: " + field.value().json().display() + "}.");
        boolean isInline = field.start().line() == field.value().end().line()
                && field.value().style() != Located.Style.COLLECTION;
        if (!isInline) {
            return finding;
        }
        var line = document.source().line(field.start().line());
        int from = line.offsetByCodePoints(0, field.value().start().column() - 1);
        int to = line.offsetByCodePoints(0, field.value().end().column() - 1);
        return finding.with(new Edit(
                field.start().line(),
                field.start().column(),
                field.value().end().column(),
                "timeouts: {pipeline: " + line.substring(from, to) + "}"));
    }

    private void tell(Document document, Problem problem, Observations seen) {
        var link = LINK.matcher(problem.message());
        if (link.find()) {
            dependency(document, link.group(1), link.group(2), seen);
            return;
        }
        if (isToldAlready(document, problem, seen)) {
            return;
        }
        if (problem.message().startsWith("expected ") && problem.paths().size() > 1) {
            choice(document, problem, seen);
            return;
        }
        for (var path : problem.paths().isEmpty() ? List.of("spec") : problem.paths()) {
            var found = Places.find(document, path);
            var rule = rule(problem.message());
            if (rule == Rule.UNDEFINED_VARIABLE && found.isThere()) {
                seen.add(new UndefinedVariable(document, found, path).finding());
                continue;
            }
            if (found.value().json() instanceof Json.Str(var text) && Placeholder.isIn(text.replace("$(", ""))) {
                continue;
            }
            var details = problem.details().isEmpty() ? "" : " (" + problem.details() + ")";
            var finding = Finding.of(
                    rule,
                    found.value(document),
                    path + ": " + shortened(problem.message()) + details,
                    found.value().text("kind").equals("ClusterTask")
                            ? "ClusterTasks are gone: refer to a Task with 'resolver: cluster'."
                            : advice(problem.message()));
            // Whoever puts it into such a folder knows.
            boolean isKnown = rule == Rule.FEATURE_FLAG
                    && ALPHA.matcher(document.source().file()).find();
            boolean wasTaken = rule == Rule.REFUSED
                    && !target.named().contains(Target.Component.TEKTON)
                    && OlderTekton.took(document, found, path, problem.message());
            seen.add(isKnown ? finding.at(Level.INFO) : wasTaken ? finding.at(Level.WARNING) : finding);
        }
    }

    /// Tekton has its own words for a name that no object of any kind may have.
    private static boolean isToldAlready(Document document, Problem problem, Observations seen) {
        return problem.message().startsWith("invalid resource name")
                && problem.paths().stream()
                        .map(path -> Places.find(document, path).value(document))
                        .allMatch(place -> seen.findings.stream()
                                .anyMatch(other -> other.place().equals(place)));
    }

    /// One mistake about several fields.
    private static void choice(Document document, Problem problem, Observations seen) {
        var found = problem.paths().stream()
                .map(path -> Places.find(document, path))
                .filter(Places::isThere)
                .findFirst()
                .orElseGet(() -> Places.find(document, problem.paths().getFirst()));
        seen.add(
                Rule.REFUSED,
                found.value(document),
                String.join(", ", problem.paths()) + ": " + problem.message(),
                advice(problem.message()));
    }

    private static void dependency(Document document, String task, String other, Observations seen) {
        for (var pipeline : TektonTree.pipelineSpecs(document)) {
            var names = pipeline.list("tasks").stream()
                    .map(each -> each.text("name"))
                    .toList();
            for (var each : pipeline.list("tasks")) {
                if (each.text("name").equals(task) && !names.contains(other)) {
                    seen.add(Finding.of(
                                    Rule.UNDEFINED_TASK,
                                    dependencyPlace(document, each, other),
                                    "task \"" + task + "\" depends on \"" + other
                                            + "\", which is no task of this pipeline",
                                    Similar.to(other, names)
                                            .map(name -> "Did you mean \"" + name + "\"?")
                                            .orElse("It has " + String.join(", ", names) + "."))
                            .at(Level.ERROR));
                }
            }
        }
    }

    private static SourcePlace dependencyPlace(Document document, Located task, String other) {
        for (var text : task.all()) {
            if (text.json() instanceof Json.Str(var value)
                    && (value.equals(other) || value.contains("$(tasks." + other + "."))
                    && !text.equals(task.at("name"))) {
                int start = Math.max(0, value.indexOf(other));
                return document.within(text, value, start, start + other.length());
            }
        }
        return document.value(task);
    }

    private static Rule rule(String message) {
        var text = message.toLowerCase(Locale.ROOT);
        if (text.startsWith("non-existent variable")) {
            return Rule.UNDEFINED_VARIABLE;
        }
        if (text.contains("undefined workspace") || text.contains("expects workspace with name")) {
            return Rule.UNDEFINED_WORKSPACE;
        }
        return isAboutFlags(text) ? Rule.FEATURE_FLAG : Rule.REFUSED;
    }

    private static boolean isAboutFlags(String text) {
        return text.startsWith("feature flag ") || text.contains("\"enable-api-fields\" feature gate");
    }

    private static String shortened(String message) {
        return message.length() > 200 ? message.substring(0, 200) + "…" : message;
    }

    private static String advice(String message) {
        if (message.startsWith("missing field")) {
            return "Add it.";
        }
        if (message.startsWith("expected exactly one, got neither")) {
            return "Set one of them.";
        }
        if (message.startsWith("expected exactly one, got both")) {
            return "Keep one of them.";
        }
        if (message.startsWith("must not set")) {
            return "Take it away.";
        }
        if (isAboutFlags(message)) {
            return "Set it in the ConfigMap feature-flags of Tekton; if it is set where this runs, --disable feature-flag.";
        }
        return message.equals(NOT_IN_SCRIPTS) ? "Pass the param in 'env' and use that variable." : "";
    }
}
