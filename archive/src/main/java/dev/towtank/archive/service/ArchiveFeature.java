package dev.towtank.archive.service;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.plugin.Forwarding;
import dev.towtank.archive.plugin.ProxyPlugins;
import dev.towtank.archive.retention.Retention;
import dev.towtank.archive.watch.RunKinds;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tekton Results. Nothing is opened, held or archived before a TektonResult named `result` is there.
public final class ArchiveFeature implements Feature {

    private static final String RETENTION = "tekton-results-config-results-retention-policy";

    @Override
    public String name() {
        return "archive";
    }

    @Override
    public String metricsPrefix() {
        return "watcher";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(ArchiveFeature.class, "crds/tektonresults.yaml", "crds/roles.yaml", "crds/plugins.yaml");
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read update patch delete | tekton.dev | pipelineruns taskruns customruns
                update | tekton.dev | pipelineruns/finalizers taskruns/finalizers customruns/finalizers
                read | operator.tekton.dev | tektonresults
                update patch | operator.tekton.dev | tektonresults/status
                read | core | pods configmaps secrets
                read | toolchain.dev.openshift.com | proxyplugins spaces toolchainclusters
                create | authorization.k8s.io | subjectaccessreviews
                read | core | events
                """);
    }

    @Override
    public Running start(Place place) {
        var switches = place.caches().of(ResultKinds.TEKTON_RESULT);
        RunKinds.RUNS.forEach(kind -> place.caches().of(kind));
        place.caches().of(RunKinds.POD);
        var archive = new OpenArchive(place.cluster(), switches, place::directory, place.timers());
        var runs = new RunControllers(place, archive);
        var controllers = new ArrayList<>(runs.all());
        controllers.add(configuration(place, archive));
        var results = new ResultsEndpoint(archive, place.cluster(), new ReadMetrics(place.meters(), place.timers()));
        return Running.of(controllers)
                .serving(results.endpoint())
                .serving(plugins(place, results).endpoint())
                .closing(archive::close)
                .closing(runs::close);
    }

    private static ProxyPlugins plugins(Place place, ResultsEndpoint results) {
        return new ProxyPlugins(
                place.caches().of(ProxyPlugins.PLUGIN),
                place.caches().of(ProxyPlugins.SPACE),
                place.caches().of(ProxyPlugins.MEMBER),
                (caller, space) -> new Reviews(place.cluster()).maySee(caller, space),
                results,
                new Forwarding(name -> place.cluster().get(Secrets.KIND, name)));
    }

    private static Controller<Json.Obj, TektonResultReconciler.Facts> configuration(Place place, OpenArchive archive) {
        var maps = place.caches().of(ConfigMaps.KIND);
        return Controller.of(
                        "archive-configuration",
                        ResultKinds.TEKTON_RESULT,
                        result -> new TektonResultReconciler.Facts(problem(archive), retention(maps, result.object())),
                        new TektonResultReconciler())
                .onlyFor(result -> result.cluster().equals(LogicalCluster.DEFAULT))
                .wokenBy(Trigger.of(
                        ConfigMaps.KIND, map -> map.name().equals(RETENTION) ? List.of(ResultKinds.NAME) : List.of()))
                .doing(TektonResultReconciler.Retain.class, deed -> retain(archive, deed, place));
    }

    private static Optional<String> problem(OpenArchive archive) {
        if (archive.switchedOnBy().isEmpty()) {
            return Optional.empty();
        }
        try {
            archive.archive();
            return Optional.empty();
        } catch (ArchiveRefusal e) {
            return Optional.of("the database cannot be used: " + e.text());
        }
    }

    private static Optional<Resource> retention(Cache maps, Resource result) {
        return maps.get(
                new ObjectName(result.cluster(), ArchiveSettings.of(result).namespace(), RETENTION));
    }

    private static Json retain(OpenArchive archive, TektonResultReconciler.Retain deed, Place place)
            throws IOException {
        try {
            int removed = new Retention(archive.archive())
                    .apply(deed.policy(), place.timers().instant());
            return Json.of(removed);
        } catch (ArchiveRefusal e) {
            throw new IOException("cannot throw away old runs: " + e.text());
        }
    }
}
