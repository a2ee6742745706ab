package dev.towtank.model.kustomize;

import dev.towtank.model.Json;

/// A place in objects of a kind; `*` stands for any.
///
/// @param create whether what is missing on the way there is made
record FieldSpec(String group, String version, String kind, String path, boolean create) {

    FieldSpec(String group, String kind, String path, boolean create) {
        this(group, "*", kind, path, create);
    }

    /// As it is written in a file; what is left out is any.
    static FieldSpec of(Json.Obj written) {
        return new FieldSpec(
                orAny(written.string("group")),
                orAny(written.string("version")),
                orAny(written.string("kind")),
                written.string("path").replace("[]", ""),
                written.flag("create"));
    }

    private static String orAny(String value) {
        return value.isEmpty() ? "*" : value;
    }

    boolean isIn(Id id) {
        return isAnyOr(group, id.group()) && isAnyOr(version, id.version()) && isAnyOr(kind, id.kind());
    }

    private static boolean isAnyOr(String wanted, String found) {
        return wanted.equals("*") || wanted.equals(found);
    }
}
