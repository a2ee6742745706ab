package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;

/// The `spec` of a definition.
final class DefinitionChecks {

    private DefinitionChecks() {}

    static void check(Field spec) {
        group(spec.at("group"));
        spec.at("scope").requiredOneOf("Cluster", "Namespaced");
        versions(spec);
        for (var name : List.of("plural", "singular", "kind", "listKind")) {
            spec.at("names", name).required("");
        }
        NameChecks.check(spec.at("names"));
        perVersion(spec);
        ConversionChecks.check(spec.at("conversion"));
    }

    private static void group(Field group) {
        var problems = Names.dnsSubdomain(group.text());
        if (group.isEmpty()) {
            group.required("");
        } else if (!problems.isEmpty()) {
            group.invalid(String.join(",", problems));
        } else if (!group.text().contains(".")) {
            group.invalid("should be a domain with at least one dot");
        }
    }

    private static void versions(Field spec) {
        var versions = spec.at("versions");
        var names = new HashSet<String>();
        long storage = 0;
        boolean unique = true;
        for (var version : versions.items()) {
            storage += version.at("storage").flag() ? 1 : 0;
            unique &= names.add(version.at("name").text());
            if (!version.at("schema", "openAPIV3Schema").isPresent()) {
                version.errors().required(version.path().child("schema").child("openAPIV3Schema"), "");
            }
            var problems = Names.dns1035Label(version.at("name").text());
            if (!problems.isEmpty()) {
                var name = version.at("name");
                name.with(Json.of(name.text())).invalid(String.join(",", problems));
            }
            deprecation(version);
        }
        if (!unique) {
            versions.invalid("must contain unique version names");
        }
        if (storage != 1) {
            versions.with(versions.isPresent() ? versions.shown() : Json.Arr.EMPTY)
                    .invalid("must have exactly one version marked as storage version");
        }
    }

    private static void deprecation(Field version) {
        var warning = version.at("deprecationWarning");
        if (!warning.isPresent()) {
            return;
        }
        if (!version.at("deprecated").flag()) {
            warning.invalid("can only be set for deprecated versions");
            return;
        }
        if (warning.text().length() > 256) {
            warning.invalid("must be <= 256 characters long");
        }
        if (warning.text().isEmpty()) {
            warning.invalid("must not be an empty string");
        }
        int odd = 0;
        while (odd < warning.text().length()
                && !Character.isISOControl(warning.text().charAt(odd))) {
            odd++;
        }
        if (odd < warning.text().length()) {
            warning.invalid(
                    "must only contain printable UTF-8 characters; non-printable character found at index " + odd);
        }
    }

    /// Kubernetes reports what all versions have in common at the top of the spec.
    private static void perVersion(Field spec) {
        var versions = spec.at("versions").items();
        boolean anyStatus = versions.stream()
                .anyMatch(version -> version.has("subresources")
                        && version.at("subresources").has("status"));
        var compiler = new RuleCompiler();
        forEach(
                spec,
                "schema",
                "validation",
                schema -> SchemaRootCheck.check(schema, statusOf(spec, schema, anyStatus), compiler));
        forEach(spec, "subresources", "subresources", SubresourceChecks::check);
        forEach(
                spec,
                "additionalPrinterColumns",
                "additionalPrinterColumns",
                columns -> columns.each(SubresourceChecks::column));
        for (var version : versions) {
            SubresourceChecks.selectableFields(
                    version.at("selectableFields")
                            .reportedAt(
                                    isCommon(versions, "selectableFields")
                                            ? spec.path().child("selectableFields")
                                            : version.path().child("selectableFields")),
                    version.at("schema", "openAPIV3Schema").object());
            if (isCommon(versions, "selectableFields")) {
                break;
            }
        }
    }

    private static boolean statusOf(Field spec, Field schema, boolean anyStatus) {
        for (var version : spec.at("versions").items()) {
            if (schema.path().text().startsWith(version.path().text() + ".")) {
                return version.at("subresources").has("status");
            }
        }
        return anyStatus;
    }

    private static void forEach(Field spec, String field, String common, Consumer<Field> check) {
        var versions = spec.at("versions").items();
        if (isCommon(versions, field)) {
            check.accept(versions.getFirst().at(field).reportedAt(spec.path().child(common)));
        } else {
            versions.forEach(version -> check.accept(version.at(field)));
        }
    }

    private static boolean isCommon(List<Field> versions, String field) {
        return !versions.isEmpty()
                && versions.stream()
                        .allMatch(version -> Field.same(
                                version.at(field).value(),
                                versions.getFirst().at(field).value()));
    }
}
