package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.ConditionRules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.util.List;
import java.util.Locale;
import java.util.Set;

public final class ValidatingAdmissionPolicies {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies")
            .withCategories("api-extensions")
            .withStatus()
            .withRules(new PolicyRules())
            .withColumns(
                    Column.ofName(),
                    Column.of(
                                    "Validations",
                                    "integer",
                                    (object, _) -> Json.of(
                                            object.array("spec", "validations").size()))
                            .describedAs("Validations indicates the number of validation rules defined in this"
                                    + " configuration"),
                    Column.text("ParamKind", (object, _) -> Json.of(paramKind(object.object("spec"))))
                            .describedAs("ParamKind specifies the kind of resources used to parameterize this policy"),
                    Column.ofAge());

    private ValidatingAdmissionPolicies() {}

    private static String paramKind(Json.Obj spec) {
        return spec.has("paramKind")
                ? spec.string("paramKind", "apiVersion") + "/" + spec.string("paramKind", "kind")
                : "<unset>";
    }

    private static final class PolicyRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(
                    object,
                    "spec",
                    spec -> Fill.inside(
                            Fill.missing(spec, "failurePolicy", "Fail"), "matchConstraints", MatchRules::defaults));
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            validate(object, true, errors);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            boolean same = Field.same(object.at("spec", "paramKind"), old.at("spec", "paramKind"))
                    && Field.same(object.at("spec", "matchConditions"), old.at("spec", "matchConditions"));
            validate(object, !same, errors);
        }

        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("annotations", "finalizers", "labels", "ownerReferences");
        }

        private static void validate(Json.Obj object, boolean conditions, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("failurePolicy").requiredOneOf("Fail", "Ignore");
            boolean params = spec.has("paramKind");
            if (params) {
                paramKind(spec.at("paramKind"));
            }
            var match = spec.at("matchConstraints");
            if (match.isPresent()) {
                MatchRules.validateResources(match);
                if (match.at("resourceRules").size() == 0) {
                    errors.required(match.path().child("resourceRules"), "");
                }
            } else {
                match.required("");
            }
            if (conditions) {
                MatchConditions.validate(spec.at("matchConditions"), params);
            }
            new PolicyExpressions(spec, params).validate(object.string("metadata", "name"));
        }

        private static void paramKind(Field kind) {
            var apiVersion = kind.at("apiVersion").required("");
            if (!apiVersion.isEmpty()) {
                groupVersion(apiVersion);
            }
            var name = kind.at("kind").required("");
            var problems = name.isEmpty()
                    ? List.<String>of()
                    : Names.dns1035Label(name.text().toLowerCase(Locale.ROOT));
            if (!problems.isEmpty()) {
                name.invalid("may have mixed case, but should otherwise match: " + String.join(",", problems));
            }
        }

        private static void groupVersion(Field apiVersion) {
            var text = apiVersion.text();
            int slash = text.indexOf('/');
            if (slash != text.lastIndexOf('/')) {
                apiVersion.invalid("unexpected GroupVersion string: " + text);
                return;
            }
            var group = slash < 0 ? "" : text.substring(0, slash);
            var version = text.substring(slash + 1);
            var problems = group.isEmpty() ? List.<String>of() : Names.dnsSubdomain(group);
            if (!problems.isEmpty()) {
                apiVersion.with(Json.of(group)).invalid(String.join(",", problems));
            }
            if (version.isEmpty()) {
                apiVersion.invalid("version must be specified");
            } else if (!Names.dns1035Label(version).isEmpty()) {
                apiVersion.with(Json.of(version)).invalid(String.join(",", Names.dns1035Label(version)));
            }
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var status = Field.root(object, errors).at("status");
            status.at("typeChecking", "expressionWarnings").each(warning -> {
                warning.at("warning").required("");
                var reference = warning.at("fieldRef");
                if (reference.text().isBlank()) {
                    errors.required(reference.path(), "");
                }
            });
            ConditionRules.validate(status.at("conditions"));
        }

        @Override
        public boolean allowsUnconditionalUpdate() {
            return false;
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
