package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;

/// A stored object in another served version than the stored one.
record Converted(Json.Obj tree, LogicalCluster cluster) implements Content {

    /// The stored object itself where nothing needs converting, which is nearly always.
    static Content of(Stored stored, Served served) {
        return served.conversion().equals(Conversion.NONE)
                ? stored
                : new Converted(served.conversion().fromStored(stored.tree()), stored.cluster());
    }

    @Override
    public byte[] bytes() {
        return JsonText.bytes(tree);
    }
}
