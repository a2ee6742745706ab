package dev.towtank.model.crd;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.crd.schema.Format;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The kind by which users define kinds.
public final class CustomResourceDefinitions {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions")
            .withShortNames("crd", "crds")
            .withCategories("api-extensions")
            .withStatus()
            .withRules(new DefinitionRules())
            .withColumns(
                    Column.ofName(),
                    new Column(
                            "Created At",
                            "date",
                            "",
                            "",
                            0,
                            (object, _) -> Json.of(object.string("metadata", "creationTimestamp"))));

    private CustomResourceDefinitions() {}

    private static final class DefinitionRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var filled = Fill.always(object, "spec", spec -> {
                var names = spec.object("names");
                var kind = names.string("kind");
                if (names.string("singular").isEmpty() && !kind.isEmpty()) {
                    names = names.with("singular", Json.of(kind.toLowerCase(Locale.ROOT)));
                }
                if (names.string("listKind").isEmpty() && !kind.isEmpty()) {
                    names = names.with("listKind", Json.of(kind + "List"));
                }
                var conversion = spec.object("conversion");
                var strategy = conversion.size() == 0 ? Json.Obj.of("strategy", Json.of("None")) : conversion;
                return spec.with("names", names).with("conversion", servicePort(strategy));
            });
            return filled.array("status", "storedVersions").size() > 0 ? filled : withStoredVersion(filled);
        }

        private static Json.Obj servicePort(Json.Obj conversion) {
            var path = List.of("webhook", "clientConfig", "service", "port");
            boolean lacksPort = conversion.at("webhook", "clientConfig", "service") instanceof Json.Obj service
                    && !service.has("port");
            return lacksPort ? conversion.with(path, Json.of(443)) : conversion;
        }

        // Every version that objects were ever stored in stays listed until somebody has migrated them.
        private static Json.Obj withStoredVersion(Json.Obj object) {
            var storage = CrdKinds.storageVersion(object);
            var stored = object.array("status", "storedVersions");
            return storage.isEmpty() || stored.strings().contains(storage)
                    ? object
                    : object.with(List.of("status", "storedVersions"), stored.plus(Json.of(storage)));
        }

        @Override
        public Json.Obj prepareCreate(Json.Obj object) {
            return withStoredVersion(object.without("status"));
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            return withStoredVersion(object.withOrWithout("status", old.get("status")));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            DefinitionChecks.check(root.at("spec"));
            NameChecks.check(root.at("status", "acceptedNames"));
            storedVersions(object, errors);
            if (object.flag("spec", "preserveUnknownFields")) {
                root.at("spec", "preserveUnknownFields")
                        .invalid("cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
                                + " spec.versions[*].schema instead");
            }
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            var name = object.string("metadata", "name");
            if (!name.equals(object.string("spec", "names", "plural") + "." + object.string("spec", "group"))) {
                errors.invalid(Path.of("metadata", "name"), name, "must be spec.names.plural+\".\"+spec.group");
            }
            ApprovalPolicy.of(object).check(errors);
        }

        private static void storedVersions(Json.Obj object, FieldError.Collector errors) {
            var stored = object.array("status", "storedVersions");
            var at = Path.of("status", "storedVersions");
            if (stored.size() == 0) {
                errors.invalid(at, stored, "must have at least one stored version");
                return;
            }
            var storage = CrdKinds.storageVersion(object);
            if (!storage.isEmpty() && !stored.strings().contains(storage)) {
                errors.invalid(at, stored, "must have the storage version " + storage);
            }
            var versions = object.objects("spec", "versions").stream()
                    .map(version -> version.string("name"))
                    .toList();
            for (int i = 0; i < stored.size(); i++) {
                var name = stored.get(i).display();
                if (!versions.contains(name)) {
                    errors.invalid(
                            at.index(i),
                            name,
                            "missing from spec.versions; " + name
                                    + " was previously a storage version, and must remain in"
                                    + " spec.versions until a storage migration ensures no data remains persisted in "
                                    + name + " and removes " + name + " from status.storedVersions");
                }
            }
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            if (CrdStatus.isTrue(old, "Established")) {
                spec.at("scope").immutable(old.at("spec", "scope"));
                spec.at("names", "kind").immutable(old.at("spec", "names", "kind"));
            }
            spec.at("group").immutable(old.at("spec", "group"));
            spec.at("names", "plural").immutable(old.at("spec", "names", "plural"));
            var approval = ApprovalPolicy.of(object);
            if (approval.state() != ApprovalPolicy.of(old).state()) {
                approval.check(errors);
            }
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            NameChecks.check(Field.root(object, errors).at("status", "acceptedNames"));
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            Set<String> formats = new LinkedHashSet<>();
            for (var version : object.objects("spec", "versions")) {
                unknownFormats(version.object("schema", "openAPIV3Schema"), formats);
            }
            var warnings = new ArrayList<String>();
            formats.forEach(format -> warnings.add("unrecognized format " + Json.of(format)));
            return warnings;
        }

        private static void unknownFormats(Json.Obj schema, Set<String> found) {
            var format = schema.string("format");
            if (!format.isEmpty() && Format.of(format, schema.string("type")).isNone()) {
                found.add(format);
            }
            schema.object("properties").forEach((_, property) -> {
                if (property instanceof Json.Obj inner) {
                    unknownFormats(inner, found);
                }
            });
            for (var field : List.of("items", "additionalProperties")) {
                if (schema.get(field) instanceof Json.Obj inner) {
                    unknownFormats(inner, found);
                }
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
