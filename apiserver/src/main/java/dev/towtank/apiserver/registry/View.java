package dev.towtank.apiserver.registry;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;

/// Objects that nobody stores: they are worked out when somebody asks for them.
public interface View {

    /// All of a logical cluster, or of one of its namespaces.
    ///
    /// @param namespace empty for all
    List<Json.Obj> objects(LogicalCluster cluster, String namespace);

    /// Why they cannot be written, for those who try.
    String whyNotWritten();
}
