package dev.towtank.apiserver;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;

/// An object on its way to a client: as bytes where those are at hand, as a tree where somebody looks into it.
public interface Content {

    /// The JSON text. Shared: nobody may write into it.
    byte[] bytes();

    Json.Obj tree();

    /// Where the object lives; only callers that watch all logical clusters at once need to ask.
    default LogicalCluster cluster() {
        return LogicalCluster.DEFAULT;
    }

    static Content of(Json.Obj tree) {
        return new Content() {
            @Override
            public byte[] bytes() {
                return JsonText.bytes(tree);
            }

            @Override
            public Json.Obj tree() {
                return tree;
            }
        };
    }
}
