package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.patch.Patch;
import java.util.Optional;

/// This server's clusters and those of others, as one: each by its name.
public final class RoutedCluster implements Cluster {

    private final Cluster here;
    private final RemoteClusters elsewhere;

    public RoutedCluster(Cluster here, RemoteClusters elsewhere) {
        this.here = here;
        this.elsewhere = elsewhere;
    }

    /// What a server calls its own cluster is one of many for us.
    private static Resource told(LogicalCluster place, Resource object) {
        return new Resource(place, object.json());
    }

    private static ObjectName there(ObjectName name) {
        return new ObjectName(LogicalCluster.DEFAULT, name.namespace(), name.name());
    }

    private static Resource there(Resource object) {
        return Resource.of(object.json());
    }

    @Override
    public Optional<Resource> get(Kind<?> kind, ObjectName name) {
        var other = elsewhere.at(name.cluster());
        return other.isEmpty()
                ? here.get(kind, name)
                : other.get().get(kind, there(name)).map(found -> told(name.cluster(), found));
    }

    @Override
    public Listing list(Kind<?> kind, Selection selection) {
        var other = selection.cluster().flatMap(elsewhere::at);
        if (other.isEmpty()) {
            return here.list(kind, selection);
        }
        var place = selection.cluster().get();
        var found = other.get()
                .list(
                        kind,
                        new Selection(
                                Optional.of(LogicalCluster.DEFAULT),
                                selection.namespace(),
                                selection.labels(),
                                selection.fields()));
        return new Listing(
                found.resourceVersion(),
                found.items().stream().map(each -> told(place, each)).toList());
    }

    @Override
    public Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        return here.watch(kind, selection, afterResourceVersion);
    }

    @Override
    public Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        var other = elsewhere.at(object.cluster());
        return other.isEmpty()
                ? here.create(kind, object, options)
                : told(object.cluster(), other.get().create(kind, there(object), options));
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        var other = elsewhere.at(object.cluster());
        return other.isEmpty()
                ? here.update(kind, object, options)
                : told(object.cluster(), other.get().update(kind, there(object), options));
    }

    @Override
    public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        var other = elsewhere.at(name.cluster());
        return other.isEmpty()
                ? here.patch(kind, name, patch, options)
                : told(name.cluster(), other.get().patch(kind, there(name), patch, options));
    }

    @Override
    public void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        var other = elsewhere.at(name.cluster());
        if (other.isEmpty()) {
            here.delete(kind, name, options);
        } else {
            other.get().delete(kind, there(name), options);
        }
    }

    @Override
    public boolean hasLogicalClusters() {
        return here.hasLogicalClusters();
    }
}
