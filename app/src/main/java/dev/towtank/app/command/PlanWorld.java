package dev.towtank.app.command;

import dev.towtank.app.applications.foresight.World;
import dev.towtank.app.notebook.RunnerProcess;
import dev.towtank.app.render.Applications;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.PersistentVolumes;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.Outlook;
import dev.towtank.node.volumes.LocalVolumes;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What is there before a sync that is planned.
///
/// @param cluster that objects are tried on, or that they are to go to
/// @param place where they go
/// @param given what the user says is there; empty where the cluster knows
/// @param isWhole whether the cluster is the one that they are to go to
/// @param images of this machine; empty where pods run elsewhere
/// @param outlooks of images that were asked for already
/// @param sources the repositories that were read
record PlanWorld(
        Cluster cluster,
        LogicalCluster place,
        List<Json.Obj> given,
        boolean isWhole,
        Optional<ImageMap> images,
        Map<String, Outlook> outlooks,
        Applications sources)
        implements World {

    private static final Kind<Json.Obj> DRIVER = Kind.clusterScoped("storage.k8s.io", "v1", "CSIDriver", "csidrivers");

    /// A registry in the cluster, which nobody outside can ask.
    private static final Pattern INSIDE = Pattern.compile("[^/]+\\.svc(\\.cluster\\.local)?(:\\d+)?/.*");

    PlanWorld(
            Cluster cluster,
            LogicalCluster place,
            List<Json.Obj> given,
            boolean isWhole,
            Optional<ImageMap> images,
            Applications sources) {
        this(cluster, place, List.copyOf(given), isWhole, images, new HashMap<>(), sources);
    }

    @Override
    public Optional<Json.Obj> object(Kind<?> kind, String namespace, String name) {
        return given(kind)
                .filter(object -> {
                    var key = ResourceKey.of(object);
                    var space = key.namespace().isEmpty() ? "default" : key.namespace();
                    return key.name().equals(name) && (!kind.isNamespaced() || space.equals(namespace));
                })
                .findFirst()
                .or(() -> live(kind, namespace, name));
    }

    private Stream<Json.Obj> given(Kind<?> kind) {
        return given.stream()
                .filter(object -> object.string("kind").equals(kind.kind())
                        && ResourceKey.of(object).group().equals(kind.group()));
    }

    private Optional<Json.Obj> live(Kind<?> kind, String namespace, String name) {
        try {
            return cluster.get(kind, new ObjectName(place, kind.isNamespaced() ? namespace : "", name))
                    .map(Resource::json);
        } catch (StatusError e) {
            return Optional.empty(); // a kind that it does not have
        }
    }

    @Override
    public boolean hasVolumes(Json.Obj storageClass) {
        var provisioner = storageClass.string("provisioner");
        var name = storageClass.string("metadata", "name");
        return provisioner.equals(LocalVolumes.PROVISIONER)
                || object(DRIVER, "", provisioner).isPresent()
                || Stream.concat(
                                given(PersistentVolumes.KIND),
                                cluster.list(PersistentVolumes.KIND, Selection.in(place)).items().stream()
                                        .map(Resource::json))
                        .anyMatch(volume ->
                                volume.string("spec", "storageClassName").equals(name));
    }

    @Override
    public Optional<String> missingImage(String image) {
        return !INSIDE.matcher(image).matches()
                        && outlook(image).orElse(new Outlook.Here()) instanceof Outlook.Missing(var why, var _)
                ? Optional.of(why)
                : Optional.empty();
    }

    @Override
    public boolean isPlayedHere(String image) {
        return outlook(image).filter(it -> it instanceof Outlook.StandIn).isPresent();
    }

    private Optional<Outlook> outlook(String image) {
        return images.map(map -> outlooks.computeIfAbsent(
                image, name -> map.outlook(new ImageMap.Wanted(name, "IfNotPresent", List::of))));
    }

    @Override
    public Optional<Map<String, byte[]>> files(String repository) {
        try {
            var known = sources.atHand(repository);
            var elsewhere = rewrites().of(repository);
            return known.isPresent() || elsewhere.equals(repository) ? known : sources.atHand(elsewhere);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Rewrites rewrites() {
        return given.stream()
                .filter(object -> object.string("kind").equals("ConfigMap")
                        && object.string("metadata", "name").equals(Rewrites.CONFIG_MAP))
                .map(object -> Rewrites.read(object.stringMap("data"), true))
                .findFirst()
                .orElseGet(() -> Rewrites.of(cluster, place));
    }

    @Override
    public List<String> missingModules(Collection<String> modules) {
        return RunnerProcess.missing(modules);
    }
}
