package dev.towtank.controllers.testclusters.api;

import dev.towtank.model.Resource;

/// What somebody who tests their own patience may ask of a cluster, by the annotation `towtank.dev/fault`.
public enum Faults {
    NONE(""),
    /// Never gets ready.
    HANG("hang"),
    /// Every attempt to make it fails.
    FAIL("fail"),
    /// Falls asleep and does not wake.
    HANG_ON_RESUME("hang-on-resume"),
    /// Cannot be taken away.
    FAIL_ON_DELETE("fail-on-delete");

    public static final String ANNOTATION = "towtank.dev/fault";

    /// What the log of the failure says.
    public static final String LOG = "towtank.dev/fault-log";

    private final String wire;

    Faults(String wire) {
        this.wire = wire;
    }

    public static Faults of(Resource object) {
        var text = object.annotations().getOrDefault(ANNOTATION, "");
        for (var each : values()) {
            if (each.wire.equals(text)) {
                return each;
            }
        }
        return NONE;
    }

    public static String message(Resource object) {
        return "The " + object.kind() + " was made to " + of(object).wire.replace('-', ' ') + " by the annotation "
                + ANNOTATION;
    }
}
