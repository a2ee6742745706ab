package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Conversion;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.util.ArrayList;
import java.util.List;

/// A stored object in another served version than the stored one.
record Converted(Json.Obj tree, LogicalCluster cluster) implements Content {

    /// The stored object itself where nothing needs converting, which is nearly always.
    static Content of(Stored stored, Served served) {
        return of(List.of(stored), served).getFirst();
    }

    /// Likewise for many; a conversion that asks somebody else asks once.
    static List<? extends Content> of(List<Stored> stored, Served served) {
        if (served.conversion().equals(Conversion.NONE)) {
            return stored;
        }
        var trees = stored.stream().map(Stored::tree).toList();
        var converted = served.conversion().fromStored(trees);
        var contents = new ArrayList<Content>(stored.size());
        for (int i = 0; i < stored.size(); i++) {
            contents.add(of(stored.get(i), trees.get(i), converted.get(i)));
        }
        return contents;
    }

    @SuppressWarnings("ReferenceEquality") // an unchanged tree is the very same, and its bytes are known
    private static Content of(Stored stored, Json.Obj tree, Json.Obj converted) {
        return tree == converted ? stored : new Converted(converted, stored.cluster());
    }

    @Override
    public byte[] bytes() {
        return JsonText.bytes(tree);
    }
}
