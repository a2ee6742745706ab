package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.List;

/// The spec of a PersistentVolumeClaim: of the kind itself, and of the templates in StatefulSets and pods.
public final class VolumeClaims {

    private static final List<String> ACCESS_MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

    private VolumeClaims() {}

    public static Json.Obj defaults(Json.Obj spec) {
        var filled = Fill.missing(spec, "volumeMode", "Filesystem");
        filled = Fill.missing(filled, "resources", Json.Obj.EMPTY);
        return Fill.inside(mirrorDataSource(filled), "resources", ResourceLists::canonicalRequirements);
    }

    public static void validateSpec(Field spec) {
        var modes = spec.at("accessModes");
        modes.required("at least 1 access mode is required");
        if (spec.has("selector")) {
            LabelSelectors.validate(spec.at("selector"));
        }
        validateAccessModes(modes);
        validateSize(spec);
        spec.at("storageClassName").matchesIfSet(Names::dnsSubdomain);
        spec.at("volumeMode").oneOfIfPresent("Block", "Filesystem");
        validateDataSource(spec.at("dataSource"));
        validateDataSource(spec.at("dataSourceRef"));
        spec.at("dataSourceRef", "namespace").matchesIfSet(Names::dnsLabel);
        spec.at("volumeAttributesClassName").matchesIfSet(Names::dnsSubdomain);
    }

    /// Known modes, and ReadWriteOncePod only alone.
    public static void validateAccessModes(Field modes) {
        var known = modes.items().stream()
                .map(Field::text)
                .filter(ACCESS_MODES::contains)
                .toList();
        modes.each(mode -> mode.reportedAt(modes.path()).oneOf(ACCESS_MODES));
        if (known.contains("ReadWriteOncePod") && known.stream().distinct().count() > 1) {
            modes.forbidden("may not use ReadWriteOncePod with other access modes");
        }
    }

    private static void validateSize(Field spec) {
        var storage = spec.at("resources", "requests", "storage")
                .reportedAt(spec.path().child("resources").key("storage"));
        if (!storage.isPresent()) {
            spec.errors().required(storage.path(), "");
        } else if (ResourceLists.isZero(storage.value()) || ResourceLists.isNegative(storage.value())) {
            ResourceLists.validatePositive(storage);
        } else {
            ResourceLists.validateAmount("storage", storage);
        }
    }

    private static void validateDataSource(Field source) {
        if (!source.isPresent()) {
            return;
        }
        source.at("name").required("");
        source.at("kind").required("");
        var group = source.at("apiGroup");
        if (group.isEmpty() && !source.at("kind").text().equals("PersistentVolumeClaim")) {
            source.with(source.at("kind").shown())
                    .invalid("must be 'PersistentVolumeClaim' when referencing the default apiGroup");
        }
        group.matchesIfSet(Names::dnsSubdomain);
    }

    // The two fields mean the same while no namespace is involved; whoever reads either one must see it.
    private static Json.Obj mirrorDataSource(Json.Obj spec) {
        var source = spec.get("dataSource");
        var reference = spec.get("dataSourceRef");
        if (source != null && reference == null) {
            return spec.with("dataSourceRef", source);
        }
        if (source == null
                && reference instanceof Json.Obj object
                && object.string("namespace").isEmpty()) {
            return spec.with("dataSource", object);
        }
        return spec;
    }
}
