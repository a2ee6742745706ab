package dev.towtank.node.volumes;

import dev.towtank.model.Resource;
import dev.towtank.node.linux.GroupFiles;
import dev.towtank.node.linux.ManyUsers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The group to which a pod's volumes belong, as `fsGroup` says. Where containers have one user only it is not needed.
///
/// @param id on this machine
/// @param once whether what a claim holds is left alone where its directory is the group's already
record FileGroup(OptionalLong id, boolean once) {

    static final FileGroup NONE = new FileGroup(OptionalLong.empty(), false);

    static FileGroup of(Resource pod) {
        var asked = PodGroups.ofVolumes(pod);
        if (asked.isEmpty()) {
            return NONE;
        }
        var id = ManyUsers.known().filter(ids -> ids.have(0, asked.get())).map(ids -> ids.group(asked.get()));
        var policy = pod.spec().string("securityContext", "fsGroupChangePolicy");
        return new FileGroup(
                id.isPresent() ? OptionalLong.of(id.get()) : OptionalLong.empty(), policy.equals("OnRootMismatch"));
    }

    /// @param readOnly what no container writes to
    void give(Path tree, boolean readOnly) throws IOException {
        if (id.isPresent()) {
            GroupFiles.give(tree, id.getAsLong(), readOnly);
        }
    }

    /// What outlives its pods.
    void giveClaim(Path directory) throws IOException {
        if (id.isPresent() && !(once && GroupFiles.isGiven(directory, id.getAsLong()))) {
            GroupFiles.give(directory, id.getAsLong(), false);
        }
    }
}
