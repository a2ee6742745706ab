package dev.towtank.app.applications.foresight;

import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import dev.towtank.model.kinds.storage.StorageClasses;
import java.util.stream.Stream;

/// Claims that others wait for, and for which nobody makes a volume.
final class UnprovidedClaims {

    private UnprovidedClaims() {}

    static Stream<Omen> in(Scene scene) {
        return scene.all(PersistentVolumeClaims.KIND)
                .filter(part -> part.holdsUp()
                        && part.isNew()
                        && part.spec().string("volumeName").isEmpty())
                .flatMap(part -> of(scene, part));
    }

    private static Stream<Omen> of(Scene scene, Scene.Part claim) {
        var name = claim.spec().string("storageClassName");
        boolean hasVolume = scene.all(PersistentVolumes.KIND)
                .anyMatch(part -> part.spec().string("storageClassName").equals(name));
        if (name.isEmpty() || hasVolume) {
            return Stream.of();
        }
        var storageClass = scene.find(StorageClasses.KIND, "", name);
        if (storageClass.isEmpty()) {
            return Stream.of(
                    scene.world().isWhole()
                            ? waits(claim, "there is no StorageClass " + name)
                            : Omen.needs("StorageClass " + name + ", for " + claim.title()));
        }
        return scene.world().hasVolumes(storageClass.get())
                ? Stream.of()
                : Stream.of(waits(
                        claim,
                        "its StorageClass " + name + " leaves volumes to "
                                + storageClass.get().string("provisioner") + ", of which nothing is seen here"));
    }

    private static Omen waits(Scene.Part claim, String why) {
        return Omen.waits(claim.title() + " will stay Pending, and all that follows with it: " + why
                + ". Use a class that is provisioned, such as local-path, which waits for the first pod.");
    }
}
