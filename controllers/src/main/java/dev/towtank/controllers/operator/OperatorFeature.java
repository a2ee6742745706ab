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
import java.util.Map;
import java.util.Optional;

/// Tekton's operator.
public final class OperatorFeature implements Feature {

    @Override
    public String name() {
        return "operator";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(OperatorFeature.class, "crds/tektonconfigs.yaml", "crds/children.yaml");
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read update patch | operator.tekton.dev | tektonconfigs tektonconfigs/status
                read create update patch delete | operator.tekton.dev | tektonresults
                read create update patch delete | operator.tekton.dev | tektonpipelines tektontriggers tektonpruners openshiftpipelinesascodes
                update patch | operator.tekton.dev | tektonpipelines/status tektontriggers/status tektonpruners/status openshiftpipelinesascodes/status
                read create update patch | core | configmaps
                read create | core | namespaces
                read delete | tekton.dev | pipelineruns taskruns
                """);
    }

    @Override
    public Running start(Place place) {
        var maps = place.caches().of(ConfigMaps.KIND);
        var namespaces = place.caches().of(Namespaces.KIND);
        var pipelineRuns = place.caches().of(TektonConfigReconciler.PIPELINE_RUN);
        var taskRuns = place.caches().of(TektonConfigReconciler.TASK_RUN);
        var configs = place.caches().of(OperatorKinds.TEKTON_CONFIG);
        var controllers = new ArrayList<Controller<?, ?>>();
        for (var child : Child.ALL) {
            place.caches().of(child.kind());
            controllers.add(Controller.of(
                            child.kind().plural() + "-controller",
                            child.kind(),
                            _ -> configs.get(OperatorKinds.CONFIG),
                            child.reconciler())
                    .onlyFor(object -> object.cluster().equals(LogicalCluster.DEFAULT))
                    .wokenBy(Trigger.of(
                            OperatorKinds.TEKTON_CONFIG,
                            _ -> List.of(new ObjectName(LogicalCluster.DEFAULT, "", child.name())))));
        }
        controllers.add(Controller.of(
                        "tektonconfig-controller",
                        OperatorKinds.TEKTON_CONFIG,
                        config -> {
                            var found = new LinkedHashMap<RenderedConfig.Place, Resource>();
                            for (var wanted :
                                    RenderedConfig.of(config.object()).maps().keySet()) {
                                maps.get(new ObjectName(LogicalCluster.DEFAULT, wanted.namespace(), wanted.name()))
                                        .ifPresent(map -> found.put(wanted, map));
                            }
                            var runs = new ArrayList<Resource>();
                            if (Pruner.isOn(config.object().spec())
                                    || EventPruner.isOn(config.object().spec())) {
                                runs.addAll(here(pipelineRuns));
                                runs.addAll(here(taskRuns));
                            }
                            return new TektonConfigReconciler.Facts(
                                    found,
                                    result(place.cluster()),
                                    children(place),
                                    here(namespaces),
                                    runs,
                                    limits(maps));
                        },
                        new TektonConfigReconciler())
                .onlyFor(config -> config.cluster().equals(LogicalCluster.DEFAULT))
                .wokenBy(Trigger.of(
                        ConfigMaps.KIND,
                        map -> map.annotations().containsKey(TektonConfigReconciler.HASH)
                                        || map.name().equals(EventPruner.NAMESPACE_MAP)
                                ? List.of(OperatorKinds.CONFIG)
                                : List.of()))
                .wokenBy(Trigger.of(TektonConfigReconciler.PIPELINE_RUN, run -> ended(configs, run)))
                .wokenBy(Trigger.of(TektonConfigReconciler.TASK_RUN, run -> ended(configs, run))));
        return Running.of(controllers);
    }

    /// One that has ended may be one too many.
    private static List<ObjectName> ended(Cache configs, Resource run) {
        return run.cluster().equals(LogicalCluster.DEFAULT)
                        && run.owners().isEmpty()
                        && Pruner.isDone(run)
                        && configs.get(OperatorKinds.CONFIG)
                                .filter(config -> EventPruner.isOn(config.spec()))
                                .isPresent()
                ? List.of(OperatorKinds.CONFIG)
                : List.of();
    }

    private static Map<String, Resource> children(Place place) {
        var found = new LinkedHashMap<String, Resource>();
        for (var child : Child.ALL) {
            place.caches()
                    .of(child.kind())
                    .get(new ObjectName(LogicalCluster.DEFAULT, "", child.name()))
                    .ifPresent(object -> found.put(child.kind().kind(), object));
        }
        return found;
    }

    private static Map<String, Resource> limits(Cache maps) {
        var found = new LinkedHashMap<String, Resource>();
        here(maps).stream()
                .filter(map -> map.name().equals(EventPruner.NAMESPACE_MAP))
                .forEach(map -> found.put(map.namespace(), map));
        return found;
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
