package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Params;
import dev.towtank.model.Json;

/// A path of its own, for what is no resource. Who may use it is decided by RBAC on the path.
@FunctionalInterface
public interface Endpoint {

    /// @param verb the method in lower case
    Json.Obj answer(String verb, Params params);
}
