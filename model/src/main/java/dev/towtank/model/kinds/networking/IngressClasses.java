package dev.towtank.model.kinds.networking;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.DomainPaths;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;

public final class IngressClasses {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "networking.k8s.io", "v1", "IngressClass", "ingressclasses")
            .withRules(new IngressClassRules())
            .withColumns(
                    new Column("Name", "string", "name", "", 0, (object, _) -> Json.of(shownName(object))),
                    Column.path("Controller", "spec", "controller")
                            .describedAs("Controller that is responsible for handling this class"),
                    Column.text("Parameters", (object, _) -> Json.of(parameters(object.object("spec"))))
                            .describedAs("A reference to a resource with additional parameters"),
                    Column.ofAge());

    private static final int MAX_CONTROLLER = 250;

    private IngressClasses() {}

    private static String shownName(Json.Obj object) {
        boolean isDefault = object.string("metadata", "annotations", "ingressclass.kubernetes.io/is-default-class")
                .equals("true");
        return object.string("metadata", "name") + (isDefault ? " (default)" : "");
    }

    private static String parameters(Json.Obj spec) {
        if (!spec.has("parameters")) {
            return "<none>";
        }
        var parameters = spec.object("parameters");
        var group = parameters.has("apiGroup") ? "." + parameters.string("apiGroup") : "";
        return parameters.string("kind") + group + "/" + parameters.string("name");
    }

    private static final class IngressClassRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(
                    object,
                    "spec",
                    spec -> Fill.inside(
                            spec, "parameters", parameters -> Fill.missing(parameters, "scope", "Cluster")));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            var controller = spec.at("controller");
            if (controller.text().length() > MAX_CONTROLLER) {
                controller.tooLong(MAX_CONTROLLER);
            }
            DomainPaths.validate(controller);
            if (spec.has("parameters")) {
                validateParameters(spec.at("parameters"));
            }
        }

        private static void validateParameters(Field parameters) {
            IngressBackends.validateReference(parameters);
            var scope = parameters.at("scope");
            var namespace = parameters.at("namespace");
            if (!scope.isPresent()) {
                scope.required("");
                return;
            }
            switch (scope.text()) {
                case "Namespace" -> {
                    if (namespace.isPresent()) {
                        namespace.matches(Names::dnsLabel);
                    } else {
                        namespace.required("`parameters.scope` is set to 'Namespace'");
                    }
                }
                case "Cluster" -> namespace.forbiddenIfPresent("`parameters.scope` is set to 'Cluster'");
                default -> scope.oneOf("Cluster", "Namespace");
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            Field.root(object, errors).at("spec", "controller").immutable(old.at("spec", "controller"));
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
