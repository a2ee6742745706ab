package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster.Propagation;
import dev.towtank.cluster.Deed;
import dev.towtank.controllers.gitops.sync.SyncStep;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Set;

/// Applies and deletes objects of whichever kind at an Application's destination, where the refusal of one is news
/// about
/// that one and not the end of the others.
///
/// @param options of the whole sync
record SyncDeed(Resource application, List<SyncStep.Action> actions, Propagation propagation, Set<String> options)
        implements Deed {

    SyncDeed {
        actions = List.copyOf(actions);
        options = Set.copyOf(options);
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
