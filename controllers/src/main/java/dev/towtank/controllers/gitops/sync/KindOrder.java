package dev.towtank.controllers.gitops.sync;

import dev.towtank.model.InstallOrder;

/// In which order kinds are applied, so that what others need is there first.
final class KindOrder {

    private KindOrder() {}

    static int rank(String kind) {
        return InstallOrder.rank(kind);
    }
}
