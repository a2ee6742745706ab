package dev.towtank.node.volumes;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/// Persistent volumes as directories of this machine.
public final class LocalVolumes {

    private static final System.Logger LOG = System.getLogger(LocalVolumes.class.getName());

    /// Who makes volumes for claims, as storage classes name it.
    public static final String PROVISIONER = "towtank.dev/local-path";

    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    private LocalVolumes() {}

    static boolean isOurs(Resource volume) {
        return volume.annotations().getOrDefault(PROVISIONED_BY, "").equals(PROVISIONER);
    }

    /// Where the node keeps a volume of its own making. It is a function of the name, so nobody can point a volume
    /// elsewhere by writing a path into the object.
    static Path place(Resource volume, VolumeSettings settings) {
        return settings.claims().resolve(volume.cluster().id()).resolve(volume.name());
    }

    /// The directory behind a volume, made if it is ours and not there yet.
    public static Path directory(Resource volume, VolumeSettings settings) throws VolumeProblem, IOException {
        if (isOurs(volume)) {
            var place = place(volume, settings);
            if (!Files.isDirectory(place)) {
                Files.createDirectories(place);
                FileModes.set(place, 0777);
            }
            return place;
        }
        if (volume.spec().get("hostPath") instanceof Json.Obj source) {
            return new HostPath(settings, source).prepared();
        }
        if (volume.spec().get("local") instanceof Json.Obj source) {
            return new HostPath(settings, source).prepared();
        }
        throw new VolumeProblem("persistentvolume \"" + volume.name()
                + "\" is of a kind that this node cannot mount: use hostPath, local or a storage class of "
                + PROVISIONER);
    }

    /// Deletes what is behind a volume of ours that is gone, beside whatever the caller does.
    public static void deleteLater(Resource volume, VolumeSettings settings) {
        if (isOurs(volume)) {
            Thread.ofVirtual().name("delete volume").start(() -> delete(place(volume, settings)));
        }
    }

    private static void delete(Path place) {
        try {
            Directories.deleteAll(place);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "files of a deleted volume are left in {0}: {1}", place, e);
        }
    }
}
