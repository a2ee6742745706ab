package dev.towtank.app.example;

import static dev.towtank.app.example.LanternReconciler.LANTERNS;

import dev.towtank.cluster.Gate;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;

/// A town has one lantern in a namespace: what only the other objects tell.
final class LanternGate implements Gate {

    @Override
    public List<Kind<?>> kinds() {
        return List.of(LANTERNS);
    }

    @Override
    public void check(Entry entry, World world) {
        var lantern = entry.resource();
        boolean isTaken = world.list(LANTERNS, entry.cluster(), entry.namespace()).stream()
                .anyMatch(other -> !other.name().equals(lantern.name())
                        && other.spec().string("town").equals(lantern.spec().string("town")));
        if (isTaken) {
            throw KindBehaviour.denied("lanterns.example.towtank.dev", "the town has a lantern already");
        }
    }
}
