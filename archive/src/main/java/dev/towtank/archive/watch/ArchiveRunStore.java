package dev.towtank.archive.watch;

import dev.towtank.archive.store.Archive;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Collection;
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
        var uids = new ArrayList<>(children.stream().map(Marks::record).toList());
        uids.add(Marks.record(run));
        return archive.digests(run.namespace(), Marks.result(run), uids);
    }

    @Override
    public void archive(Archiving deed) {
        archive.store(bundles.of(deed));
    }
}
