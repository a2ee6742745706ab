package dev.towtank.apiserver;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;

/// An object on its way to a client: as bytes where those are at hand, as a tree where somebody looks into it.
public interface Content {

    /// The JSON text. Shared: nobody may write into it.
    byte[] bytes();

    Json.Obj tree();

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
