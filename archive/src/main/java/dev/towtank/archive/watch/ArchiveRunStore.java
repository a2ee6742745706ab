package dev.towtank.archive.watch;

import dev.towtank.archive.store.Archive;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// Archives runs in SQL.
public final class ArchiveRunStore implements RunStore {

    private final Archive archive;
    private final Bundles bundles;

    public ArchiveRunStore(Archive archive, WatchSettings settings, Logs logs) {
        this.archive = archive;
        this.bundles = new Bundles(settings, logs);
    }

    @Override
    public Map<String, String> archived(Resource run, Collection<Resource> children) {
        var digests = new HashMap<String, String>();
        var result = Marks.result(run);
        var members = new ArrayList<>(children);
        members.add(run);
        for (var member : members) {
            archive.digest(run.namespace(), result, Marks.record(member))
                    .ifPresent(digest -> digests.put(member.uid(), digest));
        }
        return digests;
    }

    @Override
    public void archive(Archiving deed) {
        archive.store(bundles.of(deed));
    }
}
