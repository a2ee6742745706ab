package dev.towtank.cluster.pods;

import dev.towtank.model.Json;

/// How it is told that a container ran on a machine's own programs, in the name of its image.
public final class StandIn {

    private static final String SCHEME = "stand-in://";

    private StandIn() {}

    /// For `imageID`, which has the digest of real images.
    public static String id(String image) {
        return SCHEME + image;
    }

    /// @param status of a container, or of a step or sidecar of a TaskRun
    public static boolean isIn(Json.Obj status) {
        return status.string("imageID").startsWith(SCHEME);
    }
}
