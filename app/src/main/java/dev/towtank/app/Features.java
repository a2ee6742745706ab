package dev.towtank.app;

import dev.towtank.cluster.Feature;
import dev.towtank.controllers.namespaces.NamespacesFeature;
import dev.towtank.controllers.pipelines.PipelinesFeature;
import dev.towtank.controllers.workloads.WorkloadsFeature;
import java.util.List;
import java.util.function.IntSupplier;

/// All that the platform can do, one line each.
final class Features {

    private Features() {}

    /// @param authorityPem the certificate by which pods know the server
    /// @param ip where the server listens
    /// @param port asked once the server does
    static List<Feature> all(String authorityPem, String ip, IntSupplier port, PipelinesFeature pipelines) {
        return List.of(new NamespacesFeature(authorityPem), new WorkloadsFeature(ip, port), pipelines);
    }
}
