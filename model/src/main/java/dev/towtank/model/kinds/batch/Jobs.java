package dev.towtank.model.kinds.batch;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.LabelSelectors;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.TemplateSelectors;
import dev.towtank.model.kinds.WorkloadColumns;
import dev.towtank.model.kinds.WorkloadNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

public final class Jobs {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("batch", "v1", "Job", "jobs")
            .withCategories("all")
            .withStatus()
            .withRules(new JobRules())
            .withColumns(
                    Column.ofName(),
                    JobColumns.STATUS,
                    JobColumns.COMPLETIONS,
                    JobColumns.DURATION,
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "template", "spec"),
                    WorkloadColumns.images("spec", "template", "spec"),
                    WorkloadColumns.selector("spec", "selector"));

    static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

    /// Labels that the pods of a Job get, in the order in which their absence is reported.
    private static final List<String> UID_LABELS = List.of("controller-uid", UID_LABEL);

    private static final List<String> NAME_LABELS = List.of("job-name", "batch.kubernetes.io/job-name");

    private Jobs() {}

    private static final class JobRules implements Rules {

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return object.flag("spec", "manualSelector")
                    ? object
                    : Fill.always(
                            object,
                            "spec",
                            spec -> withSelector(
                                    spec, object.string("metadata", "name"), object.string("metadata", "uid")));
        }

        @Override
        public Json.Obj asCreated(Json.Obj object, Json.Obj given) {
            var template = given.at("spec", "template", "metadata");
            var labels = given.object("metadata", "labels").size() > 0
                    ? given.at("metadata", "labels")
                    : given.at("spec", "template", "metadata", "labels");
            var spec = object.object("spec").withOrWithout("selector", given.at("spec", "selector"));
            return object.with("metadata", object.object("metadata").withOrWithout("labels", labels))
                    .with("spec", spec.with("template", spec.object("template").withOrWithout("metadata", template)));
        }

        /// A selector that no other Job can have. Labels that the user set stay, to be refused by validation.
        private static Json.Obj withSelector(Json.Obj spec, String name, String uid) {
            var labels = spec.object("template", "metadata", "labels");
            for (var label : NAME_LABELS) {
                labels = labels.has(label) ? labels : labels.with(label, Json.of(name));
            }
            for (var label : UID_LABELS) {
                labels = labels.has(label) ? labels : labels.with(label, Json.of(uid));
            }
            var selected = spec.object("selector", "matchLabels");
            selected = selected.has(UID_LABEL) ? selected : selected.with(UID_LABEL, Json.of(uid));
            return spec.with(List.of("template", "metadata", "labels"), labels)
                    .with(List.of("selector", "matchLabels"), selected);
        }

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var labels = object.at("spec", "template", "metadata", "labels");
            var labelled = labels instanceof Json.Obj
                            && object.object("metadata", "labels").size() == 0
                    ? object.with(List.of("metadata", "labels"), labels)
                    : object;
            return Fill.always(labelled, "spec", JobRules::specDefaults);
        }

        private static Json.Obj specDefaults(Json.Obj spec) {
            boolean single = !spec.has("completions") && !spec.has("parallelism");
            var filled = single ? spec.with("completions", Json.of(1)) : spec;
            filled = Fill.missing(filled, "parallelism", 1);
            filled = Fill.missing(filled, "backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
            filled = Fill.missing(filled, "completionMode", "NonIndexed");
            filled = Fill.missing(filled, "suspend", false);
            filled = Fill.missing(
                    filled, "podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
            filled = Fill.missing(filled, "manualSelector", false);
            return JobSpecs.nestedDefaults(filled);
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            var spec = root.at("spec");
            validateGeneratedSelector(root);
            JobSpecs.validate(spec);
            var selector = spec.at("selector");
            if (selector.isPresent()) {
                LabelSelectors.validate(selector);
            } else {
                selector.required("");
            }
            TemplateSelectors.read(selector)
                    .ifPresent(read -> TemplateSelectors.validateMatch(read, spec.at("template")));
            validateHostNames(root);
        }

        private static void validateGeneratedSelector(Field root) {
            var spec = root.at("spec");
            if (spec.at("manualSelector").flag() || !spec.has("selector")) {
                return;
            }
            var name = root.at("metadata", "name").text();
            var uid = root.at("metadata", "uid").required("").text();
            var expected = Json.Obj.builder();
            for (int i = 0; i < UID_LABELS.size(); i++) {
                requireLabel(spec, UID_LABELS.get(i), uid);
                requireLabel(spec, NAME_LABELS.get(i), name);
                expected.put(UID_LABELS.get(i), uid).put(NAME_LABELS.get(i), name);
            }
            var selector = spec.at("selector");
            var read = TemplateSelectors.read(selector);
            if (read.isPresent() && !read.get().matchesLabels(expected.build())) {
                selector.invalid("`selector` not auto-generated");
            }
        }

        private static void requireLabel(Field spec, String key, String value) {
            var labels = spec.at("template", "metadata", "labels");
            var actual = labels.object().get(key);
            var path = labels.path().key(key);
            if (actual == null) {
                spec.errors().required(path, "must be '" + value + "'");
            } else if (!actual.equals(Json.of(value))) {
                spec.errors().invalid(path, TemplateSelectors.shownLabels(labels), "must be '" + value + "'");
            }
        }

        /// Pods of an indexed Job are called after it and their index.
        private static void validateHostNames(Field root) {
            var name = root.at("metadata", "name");
            long completions = root.at("spec", "completions").number();
            if (JobSpecs.isIndexed(root.at("spec")) && completions > 0) {
                var longest = name.text() + "-" + (completions - 1);
                if (!Names.dnsLabel(longest).isEmpty()) {
                    name.invalid("will not able to create pod with invalid DNS label: " + longest);
                }
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            var oldSpec = old.object("spec");
            validateCompletions(spec, oldSpec);
            TemplateSelectors.validateUnchanged(spec.at("selector"), oldSpec);
            spec.at("template").immutable(templateToCompare(object, old));
            for (var fixed : List.of(
                    "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy")) {
                unchanged(spec.at(fixed), oldSpec);
            }
        }

        private static void unchanged(Field field, Json.Obj oldSpec) {
            var path = field.path().text();
            var old = oldSpec.get(path.substring(path.lastIndexOf('.') + 1));
            (field.isPresent() ? field : field.with(Json.Null.NULL)).immutable(old);
        }

        private static void validateCompletions(Field spec, Json.Obj oldSpec) {
            var completions = spec.at("completions");
            if (!JobSpecs.isIndexed(spec)) {
                unchanged(completions, oldSpec);
            } else if (completions.isPresent()
                    && !Field.same(completions.value(), oldSpec.get("completions"))
                    && completions.number() != spec.at("parallelism").number()) {
                completions.invalid("can only be modified in tandem with spec.parallelism");
            }
        }

        /// The old template; for a Job that never started with the new scheduling directives, which may change.
        private static Json.Obj templateToCompare(Json.Obj object, Json.Obj old) {
            var oldTemplate = old.object("spec", "template");
            if (!old.flag("spec", "suspend") || old.at("status", "startTime") != null) {
                return oldTemplate;
            }
            var template = object.object("spec", "template");
            var allowed = oldTemplate;
            for (var path : List.of(
                    List.of("metadata", "labels"),
                    List.of("metadata", "annotations"),
                    List.of("spec", "nodeSelector"),
                    List.of("spec", "tolerations"),
                    List.of("spec", "schedulingGates"),
                    List.of("spec", "affinity", "nodeAffinity"))) {
                var changed = template.at(path.toArray(String[]::new));
                allowed = changed == null ? allowed.without(path) : allowed.with(path, changed);
            }
            return template.at("spec", "affinity") == null
                            && allowed.object("spec", "affinity").size() == 0
                    ? allowed.without(List.of("spec", "affinity"))
                    : allowed;
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            new JobStatusCheck(object, old, errors).run();
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            var warnings = new ArrayList<>(WorkloadNames.warnings(object));
            warnings.addAll(PodTemplates.warnings(Path.of("spec", "template"), object.object("spec", "template")));
            return warnings;
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            return Map.of("status.successful", object -> Long.toString(object.integer("status", "succeeded")));
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }

        // Kubernetes keeps this for clients from before garbage collection.
        @Override
        public boolean orphansByDefault() {
            return true;
        }

        @Override
        public List<String> warningsOnDeletion() {
            return List.of("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background"
                    + " to remove them or set propagationPolicy=Orphan to suppress this warning");
        }
    }
}
