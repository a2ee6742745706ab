package dev.towtank.apiserver.catalog;

import dev.towtank.model.Json;
import java.util.List;

/// Brings objects of a custom kind into another of its versions.
interface VersionConverter {

    /// The strategy `None`: versions differ in nothing but their name.
    VersionConverter RELABEL = (objects, apiVersion) -> objects.stream()
            .map(object -> object.with("apiVersion", Json.of(apiVersion)))
            .toList();

    /// The same objects in the same order, each in the wanted version.
    ///
    /// @param objects none of which is in that version already
    /// @param apiVersion with its group
    /// @throws dev.towtank.model.StatusError where one of them cannot be converted
    List<Json.Obj> convert(List<Json.Obj> objects, String apiVersion);

    /// Whether somebody outside this process is asked.
    default boolean mayWait() {
        return false;
    }
}
