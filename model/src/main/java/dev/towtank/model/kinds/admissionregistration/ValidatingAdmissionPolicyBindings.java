package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.LabelSelectors;
import java.util.HashSet;

public final class ValidatingAdmissionPolicyBindings {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "admissionregistration.k8s.io",
                    "v1",
                    "ValidatingAdmissionPolicyBinding",
                    "validatingadmissionpolicybindings")
            .withCategories("api-extensions")
            .withRules(new BindingRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("PolicyName", "spec", "policyName")
                            .describedAs("PolicyName indicates the policy definition which the policy binding binded"
                                    + " to"),
                    Column.text("ParamRef", (object, _) -> Json.of(paramRef(object.object("spec"))))
                            .describedAs("ParamRef indicates the param resource which sets the configuration param"),
                    Column.ofAge());

    private ValidatingAdmissionPolicyBindings() {}

    private static String paramRef(Json.Obj spec) {
        var reference = spec.object("paramRef");
        var name = reference.string("name");
        if (!name.isEmpty()) {
            var namespace = reference.string("namespace");
            return (namespace.isEmpty() ? "*" : namespace) + "/" + name;
        }
        if (!(reference.get("selector") instanceof Json.Obj selector)) {
            return "<unset>";
        }
        return LabelSelectors.isEmpty(selector)
                ? "<none>"
                : LabelSelector.of(selector).toString();
    }

    private static final class BindingRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(object, "spec", spec -> Fill.inside(spec, "matchResources", MatchRules::defaults));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            spec.at("policyName").required("").matchesIfSet(Names::dnsSubdomain);
            if (spec.has("paramRef")) {
                reference(spec.at("paramRef"));
            }
            MatchRules.validateResources(spec.at("matchResources"));
            actions(spec.at("validationActions"));
        }

        private static void reference(Field reference) {
            var name = reference.at("name").matchesIfSet(Names::pathSegment);
            var selector = reference.at("selector");
            if (selector.isPresent()) {
                LabelSelectors.validate(selector);
            }
            if (!name.isEmpty() && selector.isPresent()) {
                name.forbidden("name and selector are mutually exclusive");
                selector.forbidden("name and selector are mutually exclusive");
            }
            if (name.isEmpty() && !selector.isPresent()) {
                reference.errors().required(reference.path(), "one of name or selector must be specified");
            }
            reference.at("parameterNotFoundAction").requiredOneOf("Deny", "Allow");
        }

        private static void actions(Field actions) {
            var seen = new HashSet<String>();
            actions.each(action -> action.oneOf("Audit", "Deny", "Warn").unique(seen));
            if (seen.contains("Deny") && seen.contains("Warn")) {
                actions.invalid("must not contain both Deny and Warn (repeating the same validation failure"
                        + " information in the API response and headers serves no purpose)");
            }
            if (seen.isEmpty()) {
                actions.errors().required(actions.path(), "at least one validation action is required");
            }
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
