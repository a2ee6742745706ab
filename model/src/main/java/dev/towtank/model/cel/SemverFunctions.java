package dev.towtank.model.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;

/// Semantic versions.
final class SemverFunctions {

    private static final OpaqueType SEMVER = OpaqueType.create("kubernetes.Semver");

    private SemverFunctions() {}

    static void addTo(FunctionLibrary library) {
        library.function("semver")
                .global(
                        "string_to_semver",
                        SEMVER,
                        SimpleType.STRING,
                        String.class,
                        text -> Semver.required(text, false))
                .global(
                        "string_bool_to_semver",
                        SEMVER,
                        SimpleType.STRING,
                        String.class,
                        SimpleType.BOOL,
                        Boolean.class,
                        Semver::required);
        library.function("isSemver")
                .global(
                        "is_semver_string",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Semver.parse(text, false).isPresent())
                .global(
                        "is_semver_string_bool",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        SimpleType.BOOL,
                        Boolean.class,
                        (text, normalize) -> Semver.parse(text, normalize).isPresent());
        library.function("isGreaterThan")
                .member(
                        "semver_is_greater_than",
                        SimpleType.BOOL,
                        SEMVER,
                        Semver.class,
                        SEMVER,
                        Semver.class,
                        (a, b) -> a.compareTo(b) > 0);
        library.function("isLessThan")
                .member(
                        "semver_is_less_than",
                        SimpleType.BOOL,
                        SEMVER,
                        Semver.class,
                        SEMVER,
                        Semver.class,
                        (a, b) -> a.compareTo(b) < 0);
        library.function("compareTo")
                .member("semver_compare_to", SimpleType.INT, SEMVER, Semver.class, SEMVER, Semver.class, (a, b) ->
                        (long) a.compareTo(b));
        library.function("major").member("semver_major", SimpleType.INT, SEMVER, Semver.class, Semver::major);
        library.function("minor").member("semver_minor", SimpleType.INT, SEMVER, Semver.class, Semver::minor);
        library.function("patch").member("semver_patch", SimpleType.INT, SEMVER, Semver.class, Semver::patch);
    }
}
