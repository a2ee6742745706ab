package dev.towtank.apiserver.catalog;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.util.ArrayList;
import java.util.List;

/// A stored object in another served version than the stored one.
public record Converted(Json.Obj tree, LogicalCluster cluster) implements Content {

    /// The stored object itself where nothing needs converting, which is nearly always.
    public static Content of(Stored stored, Served served) {
        return served.conversion().keeps(stored, stored.revision())
                ? stored
                : new Converted(served.conversion().fromStored(stored.tree()), stored.cluster());
    }

    /// Likewise for many; a conversion that asks somebody else asks once.
    public static List<? extends Content> of(List<Stored> stored, Served served) {
        var conversion = served.conversion();
        var foreign = stored.stream()
                .filter(each -> !conversion.keeps(each, each.revision()))
                .toList();
        if (foreign.isEmpty()) {
            return stored;
        }
        var trees = conversion
                .fromStored(foreign.stream().map(Stored::tree).toList())
                .iterator();
        var next = foreign.iterator();
        var contents = new ArrayList<Content>(stored.size());
        Stored awaited = next.next();
        for (var each : stored) {
            if (awaited != null && each.equals(awaited)) {
                contents.add(new Converted(trees.next(), each.cluster()));
                awaited = next.hasNext() ? next.next() : null;
            } else {
                contents.add(each);
            }
        }
        return contents;
    }

    @Override
    public byte[] bytes() {
        return JsonText.bytes(tree);
    }
}
