package dev.towtank.controllers.models;

import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import java.util.List;
import java.util.Map;

/// Models with versions.
public final class ModelsFeature implements Feature {

    @Override
    public String name() {
        return "models";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(ModelsFeature.class, "crds/models.yaml", "crds/roles.yaml");
    }

    @Override
    public List<Permission> permissions() {
        return List.of();
    }

    @Override
    public Map<String, String> programs() {
        return Map.of("towtank-gate", "gate.py");
    }

    @Override
    public Running start(Place place) {
        return Running.NOTHING;
    }
}
