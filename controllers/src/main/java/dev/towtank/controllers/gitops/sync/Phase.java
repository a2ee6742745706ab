package dev.towtank.controllers.gitops.sync;

import java.util.Arrays;
import java.util.Optional;

/// The parts of a sync, in their order; the last one only comes when another failed.
public enum Phase {
    PRE_SYNC("PreSync"),
    SYNC("Sync"),
    POST_SYNC("PostSync"),
    SYNC_FAIL("SyncFail");

    private final String wire;

    Phase(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    public static Optional<Phase> read(String text) {
        return Arrays.stream(values()).filter(phase -> phase.wire.equals(text)).findFirst();
    }
}
