package dev.towtank.controllers.serving;

import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;

/// KServe's InferenceServices.
public final class ServingFeature implements Feature {

    @Override
    public String name() {
        return "serving";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                ServingFeature.class,
                "crds/inferenceservices.yaml",
                "crds/servingruntimes.yaml",
                "crds/runtimes.yaml",
                "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(new ServingBehaviour());
    }

    @Override
    public List<Permission> permissions() {
        return List.of();
    }

    @Override
    public Running start(Place place) {
        return Running.NOTHING;
    }
}
