package dev.towtank.app;

import dev.towtank.cluster.Feature;
import dev.towtank.controllers.buckets.BucketsFeature;
import dev.towtank.controllers.models.ModelsFeature;
import dev.towtank.controllers.namespaces.NamespacesFeature;
import dev.towtank.controllers.pipelines.PipelinesFeature;
import dev.towtank.controllers.secrets.SecretsFeature;
import dev.towtank.controllers.serving.ServingFeature;
import dev.towtank.controllers.triggers.TriggersFeature;
import dev.towtank.controllers.workloads.WorkloadsFeature;
import java.util.List;

/// All that the platform can do, one line each.
final class Features {

    private Features() {}

    static List<Feature> all() {
        return List.of(
                new NamespacesFeature(),
                new WorkloadsFeature(),
                new PipelinesFeature(),
                new SecretsFeature(),
                new BucketsFeature(),
                new TriggersFeature(),
                new ServingFeature(),
                new ModelsFeature());
    }
}
