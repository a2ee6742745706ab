package dev.towtank.controllers.operator;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.operator.api.OperatorKinds;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Tekton's operator.
public final class OperatorFeature implements Feature {

    @Override
    public String name() {
        return "operator";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(OperatorFeature.class, "crds/tektonconfigs.yaml");
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read update patch | operator.tekton.dev | tektonconfigs tektonconfigs/status
                read create update patch delete | operator.tekton.dev | tektonresults
                read create update patch | core | configmaps
                read create | core | namespaces
                read delete | tekton.dev | pipelineruns taskruns
                read create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var maps = place.caches().of(ConfigMaps.KIND);
        var namespaces = place.caches().of(Namespaces.KIND);
        var pipelineRuns = place.caches().of(TektonConfigReconciler.PIPELINE_RUN);
        var taskRuns = place.caches().of(TektonConfigReconciler.TASK_RUN);
        return Running.of(Controller.of(
                        "tektonconfig-controller",
                        OperatorKinds.TEKTON_CONFIG,
                        config -> {
                            var found = new LinkedHashMap<Rendering.Place, Resource>();
                            for (var wanted :
                                    Rendering.of(config.object()).maps().keySet()) {
                                maps.get(new ObjectName(LogicalCluster.DEFAULT, wanted.namespace(), wanted.name()))
                                        .ifPresent(map -> found.put(wanted, map));
                            }
                            var runs = new ArrayList<Resource>();
                            if (Pruner.isOn(config.object().spec())) {
                                runs.addAll(here(pipelineRuns));
                                runs.addAll(here(taskRuns));
                            }
                            return new TektonConfigReconciler.Facts(
                                    found, result(place.cluster()), here(namespaces), runs);
                        },
                        new TektonConfigReconciler())
                .onlyFor(config -> config.cluster().equals(LogicalCluster.DEFAULT))
                .wokenBy(Trigger.of(
                        ConfigMaps.KIND,
                        map -> map.annotations().containsKey(TektonConfigReconciler.HASH)
                                ? List.of(OperatorKinds.CONFIG)
                                : List.of())));
    }

    /// Nothing where nobody archives, and so nobody knows the kind.
    private static Optional<Resource> result(Cluster cluster) {
        try {
            return cluster.get(OperatorKinds.TEKTON_RESULT, new ObjectName(LogicalCluster.DEFAULT, "", "result"));
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static List<Resource> here(Cache cache) {
        return cache.list().stream()
                .filter(each -> each.cluster().equals(LogicalCluster.DEFAULT))
                .toList();
    }
}
