package dev.towtank.archive.watch;

import dev.towtank.model.Resource;
import java.util.Collection;
import java.util.Map;

/// Where runs are archived.
public interface RunStore {

    /// By uid, the digests of a run and its children, as far as they are archived under the Result of the run.
    Map<String, String> archived(Resource run, Collection<Resource> children);

    /// All of it or nothing; to do it again changes nothing.
    void archive(Archiving deed);
}
