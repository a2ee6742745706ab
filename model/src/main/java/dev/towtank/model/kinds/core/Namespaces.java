package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.ObjectMetas;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Namespaces: the kind that holds the objects of most others.
public final class Namespaces {

    private static final String FINALIZER = "kubernetes";

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped("", "v1", "Namespace", "namespaces")
            .withShortNames("ns")
            .withStatus()
            .withRules(new NamespaceRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("Status", "status", "phase").describedAs("The status of the namespace"),
                    Column.ofAge());

    private Namespaces() {}

    private static final class NamespaceRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var status = Fill.missing(object.object("status"), "phase", "Active");
            return labelled(object.with("status", status));
        }

        // Network policies and webhooks select namespaces by this label, so nobody may change or forget it.
        private static Json.Obj labelled(Json.Obj object) {
            var name = object.string("metadata", "name");
            return name.isEmpty()
                    ? object
                    : object.with(List.of("metadata", "labels", "kubernetes.io/metadata.name"), Json.of(name));
        }

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            var finalizers = object.array("spec", "finalizers");
            return finalizers.strings().contains(FINALIZER)
                    ? object
                    : object.with(List.of("spec", "finalizers"), finalizers.plus(Json.of(FINALIZER)));
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            var finalizers = old.at("spec", "finalizers");
            return finalizers == null
                    ? object.without(List.of("spec", "finalizers"))
                    : object.with(List.of("spec", "finalizers"), finalizers);
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var finalizers = Field.root(object, errors).at("spec", "finalizers");
            finalizers.each(each -> ObjectMetas.validateFinalizer(each.reportedAt(finalizers.path())));
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var deleting = object.at("metadata", "deletionTimestamp") instanceof Json.Str;
            var phase = Field.root(object, errors).at("status", "phase");
            var reported = phase.reportedAt(Path.of("status", "Phase"));
            if (!deleting && !phase.text().equals("Active")) {
                reported.invalid("may only be 'Active' if `deletionTimestamp` is empty");
            } else if (deleting && !phase.text().equals("Terminating")) {
                reported.invalid("may only be 'Terminating' if `deletionTimestamp` is not empty");
            }
        }

        @Override
        public Names.Rule nameRule() {
            return Names.Rule.DNS_LABEL;
        }

        @Override
        public Map<String, Function<Json.Obj, String>> selectableFields() {
            return Map.of(
                    "status.phase", object -> object.string("status", "phase"),
                    "name", object -> object.string("metadata", "name"));
        }

        @Override
        public boolean keepsWhileDeleting(Json.Obj object) {
            return object.array("spec", "finalizers").size() > 0;
        }

        @Override
        public Json.Obj beginDeletion(Json.Obj object) {
            return object.with(List.of("status", "phase"), Json.of("Terminating"));
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }
}
