package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster.Propagation;
import dev.towtank.cluster.Deed;
import dev.towtank.controllers.gitops.sync.Step;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;

/// Applies and deletes objects of whichever kind, where the refusal of one is news about that one and not the end of
/// the
/// others.
record SyncDeed(LogicalCluster place, List<Step.Action> actions, Propagation propagation) implements Deed {

    SyncDeed {
        actions = List.copyOf(actions);
    }

    @Override
    public Json.Obj json() {
        return Json.Obj.of(
                "sync",
                Json.Arr.ofStrings(actions.stream()
                        .map(action -> action.verb() + " " + action.key())
                        .toList()));
    }
}
