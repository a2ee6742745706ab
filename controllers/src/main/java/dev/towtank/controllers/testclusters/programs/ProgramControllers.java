package dev.towtank.controllers.testclusters.programs;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Json;
import java.util.Set;

/// The controller of clusters that programs make. A program may take minutes, so it keeps no others waiting.
public final class ProgramControllers {

    private static final int WORKERS = 4;

    private ProgramControllers() {}

    public static Controller<Json.Obj, ProgramReconciler.Facts> of(
            Caches caches, Set<String> allowed, Deed.Doer<ProgramDeed> programs) {
        var provisions = caches.of(ClusterKinds.PROVISION);
        return Controller.of(
                        "clusterdeployment-programs",
                        ClusterKinds.DEPLOYMENT,
                        observed -> new ProgramReconciler.Facts(
                                allowed,
                                provisions.by(
                                        Cache.Index.OWNER, observed.object().uid())),
                        new ProgramReconciler())
                .onlyFor(ProgramReconciler::isMeant)
                .wokenBy(Trigger.owned(ClusterKinds.PROVISION, ClusterKinds.DEPLOYMENT))
                .doing(ProgramDeed.Make.class, programs::done)
                .doing(ProgramDeed.Remove.class, programs::done)
                .withWorkers(WORKERS);
    }
}
