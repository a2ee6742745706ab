package dev.towtank.apiserver;

import dev.towtank.model.Json;

/// How one served version of a kind is read from and written to the stored form. Both directions are pure and lose
/// nothing.
public interface Conversion {

    Conversion NONE = new Conversion() {
        @Override
        public Json.Obj fromStored(Json.Obj stored) {
            return stored;
        }

        @Override
        public Json.Obj toStored(Json.Obj served) {
            return served;
        }
    };

    Json.Obj fromStored(Json.Obj stored);

    Json.Obj toStored(Json.Obj served);
}
