package dev.towtank.controllers.serving;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.controllers.serving.source.FreePorts;
import dev.towtank.controllers.serving.source.Fronts;
import dev.towtank.controllers.serving.source.ModelFiles;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.apps.ControllerRevisions;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// KServe's InferenceServices.
public final class ServingFeature implements Feature {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "serving";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                ServingFeature.class,
                "crds/inferenceservices.yaml",
                "crds/servingruntimes.yaml",
                "crds/runtimes.yaml",
                "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(
                new ServingBehaviour(),
                new RuntimeBehaviour(ServingKinds.SERVING_RUNTIME),
                new RuntimeBehaviour(ServingKinds.CLUSTER_SERVING_RUNTIME));
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | serving.kserve.io | inferenceservices servingruntimes clusterservingruntimes
                update patch | serving.kserve.io | inferenceservices/status inferenceservices/finalizers
                read create patch delete | core | pods services
                read | core | secrets serviceaccounts
                read create patch delete | discovery.k8s.io | endpointslices
                read create delete | apps | controllerrevisions
                """);
    }

    @Override
    public Map<String, String> programs() {
        return Map.of("towtank-predictor", "predictor.py", "towtank-storage-initializer", "storage_initializer.py");
    }

    @Override
    public Running start(Place place) {
        var fronts = new Fronts(place);
        var reader = new ModelFiles(place.pods());
        var files = new Outside<>("model-files", reader, Outside.Limits.USUAL.freshFor(BETWEEN_LOOKS), place.timers());
        return Running.of(services(place, fronts, files))
                .observing(List.of(Observer.of(ServingKinds.INFERENCE_SERVICE, fronts::seen)))
                .closing(fronts::close)
                .closing(reader::close)
                .closing(files::close);
    }

    private static Controller<Json.Obj, ServiceFacts> services(
            Place place, Fronts fronts, Outside<Routes.Target, String> files) {
        var world = new World(place, fronts, files);
        var ports = new FreePorts();
        return Controller.of(
                        "inferenceservice-controller",
                        ServingKinds.INFERENCE_SERVICE,
                        service -> world.around(service.object()),
                        new InferenceServiceReconciler())
                .wokenBy(files)
                .wokenBy(Trigger.owned(Pods.KIND, ServingKinds.INFERENCE_SERVICE))
                .wokenBy(Trigger.owned(Services.KIND, ServingKinds.INFERENCE_SERVICE))
                .wokenBy(Trigger.owned(EndpointSlices.KIND, ServingKinds.INFERENCE_SERVICE))
                .wokenBy(Trigger.owned(ControllerRevisions.KIND, ServingKinds.INFERENCE_SERVICE))
                .wokenBy(Trigger.of(ServingKinds.SERVING_RUNTIME, world::all))
                .wokenBy(Trigger.of(ServingKinds.CLUSTER_SERVING_RUNTIME, world::all))
                .wokenBy(Trigger.of(Secrets.KIND, world::all))
                .wokenBy(Trigger.of(ServiceAccounts.KIND, world::all))
                .doing(ServingDeed.Open.class, deed -> Json.of(fronts.open(deed.service())))
                .doing(ServingDeed.Lead.class, deed -> {
                    fronts.lead(deed.service(), deed.routes());
                    return Json.Null.NULL;
                })
                .doing(ServingDeed.Try.class, deed -> fronts.predict(deed.target(), deed.model(), deed.instances()))
                .doing(ServingDeed.FindPort.class, _ -> Json.of(ports.find()));
    }

    /// Where facts come from.
    private static final class World {
        private final Fronts fronts;
        private final Outside<Routes.Target, String> files;
        private final Cache all;
        private final Cache runtimes;
        private final Cache clusterRuntimes;
        private final Cache revisions;
        private final Cache pods;
        private final Cache services;
        private final Cache slices;
        private final Cache accounts;
        private final Cache secrets;
        private final PodAccess access;

        World(Place place, Fronts fronts, Outside<Routes.Target, String> files) {
            this.fronts = fronts;
            this.files = files;
            var caches = place.caches();
            all = caches.of(ServingKinds.INFERENCE_SERVICE);
            runtimes = caches.of(ServingKinds.SERVING_RUNTIME);
            clusterRuntimes = caches.of(ServingKinds.CLUSTER_SERVING_RUNTIME);
            revisions = caches.of(ControllerRevisions.KIND);
            pods = caches.of(Pods.KIND);
            services = caches.of(Services.KIND);
            slices = caches.of(EndpointSlices.KIND);
            accounts = caches.of(ServiceAccounts.KIND);
            secrets = caches.of(Secrets.KIND);
            access = place.pods();
        }

        ServiceFacts around(Resource service) {
            var name = ObjectName.of(service);
            var names = new ObjectName(service.cluster(), service.namespace(), ServiceObjects.name(service));
            return new ServiceFacts(
                    new Runtimes(
                            runtimes.in(service.cluster(), service.namespace()),
                            clusterRuntimes.in(service.cluster(), "")),
                    credentials(service),
                    revisions.ownedBy(service.uid()).stream().map(Revision::new).toList(),
                    pods.ownedBy(service.uid()).stream().map(Worker::new).toList(),
                    services.get(names),
                    slices.get(names),
                    fronts.port(name),
                    fronts.routes(name),
                    fronts.tallies(name),
                    Optional.empty(),
                    access.givesNetworks(),
                    otherFile(service));
        }

        /// What serves knows its own file best.
        private Optional<String> otherFile(Resource service) {
            var serving = service.status().string("components", "predictor", "latestRolledoutRevision");
            return Reloading.isWanted(service)
                    ? pods.ownedBy(service.uid()).stream()
                            .map(Worker::new)
                            .filter(worker -> worker.revision().equals(serving) && worker.isReady())
                            .findFirst()
                            .flatMap(worker -> files.ask(ObjectName.of(service), worker.target())
                                    .newest())
                            .filter(file -> !file.isEmpty())
                    : Optional.empty();
        }

        /// Looked for only where a bucket may need them.
        private Credentials credentials(Resource service) {
            return JsonText.write(service.spec()).contains("s3://")
                    ? new Credentials(
                            accounts.in(service.cluster(), service.namespace()),
                            secrets.in(service.cluster(), service.namespace()))
                    : new Credentials(List.of(), List.of());
        }

        /// All InferenceServices that a runtime may concern.
        List<ObjectName> all(Resource runtime) {
            return all.list().stream()
                    .filter(service -> service.cluster().equals(runtime.cluster()))
                    .filter(service ->
                            runtime.namespace().isEmpty() || runtime.namespace().equals(service.namespace()))
                    .map(ObjectName::of)
                    .toList();
        }
    }
}
