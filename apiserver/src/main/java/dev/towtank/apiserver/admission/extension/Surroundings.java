package dev.towtank.apiserver.admission.extension;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;

/// What must be known besides a request to tell whether it is meant.
public interface Surroundings {

    /// The namespace of that name, as it is now.
    Optional<Json.Obj> namespace(LogicalCluster cluster, String name);

    /// The other versions of the API in which the subject's resource is served.
    List<Form> equivalents(Subject subject);

    /// An object of the subject's form in another one.
    Json.Obj convert(Subject subject, Json.Obj object, Form to);

    /// The way back.
    Json.Obj convertBack(Subject subject, Json.Obj object, Form from);
}
