package dev.towtank.app.applications.foresight;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is there before a sync begins.
public interface World {

    /// An object that no repository has to bring.
    ///
    /// @param namespace empty for what is in none
    Optional<Json.Obj> object(Kind<?> kind, String namespace, String name);

    /// Whether what it does not know is not there. Of the server that files are meant for, nobody knows what it has.
    boolean isWhole();

    /// Whether anybody makes volumes for a StorageClass, or has made some.
    boolean hasVolumes(Json.Obj storageClass);

    /// Why containers of an image would not start on this machine; nothing where they would, or where they run
    /// elsewhere.
    Optional<String> missingImage(String image);

    /// Whether programs of this machine play an image, so that what it has is what they have.
    boolean isPlayedHere(String image);

    /// The files of a repository that is at hand.
    Optional<Map<String, byte[]>> files(String repository);

    /// Which modules this machine's Python does not have.
    List<String> missingModules(Collection<String> modules);
}
