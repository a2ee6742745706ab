package dev.towtank.controllers.workloads;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler;
import dev.towtank.controllers.workloads.jobs.CronJobReconciler;
import dev.towtank.controllers.workloads.jobs.FinishedJobReconciler;
import dev.towtank.controllers.workloads.jobs.JobPodReconciler;
import dev.towtank.controllers.workloads.jobs.JobReconciler;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.controllers.workloads.replicas.DeploymentReconciler;
import dev.towtank.controllers.workloads.replicas.ReplicaSetReconciler;
import dev.towtank.controllers.workloads.services.KubernetesServiceReconciler;
import dev.towtank.controllers.workloads.sets.DaemonSetReconciler;
import dev.towtank.controllers.workloads.sets.StatefulSetReconciler;
import dev.towtank.controllers.workloads.source.CustomScales;
import dev.towtank.controllers.workloads.source.PodUsages;
import dev.towtank.controllers.workloads.upkeep.FinishedPodsReconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.ControllerRevisions;
import dev.towtank.model.kinds.apps.DaemonSets;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.batch.CronJobs;
import dev.towtank.model.kinds.batch.Jobs;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.ReplicationControllers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes pods of workloads and addresses of Services.
public final class WorkloadsFeature implements Feature {

    @Override
    public String name() {
        return "workloads";
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create update patch delete | core | pods endpoints persistentvolumeclaims
                update patch | core | pods/status services/status
                update | core | pods/finalizers services/finalizers
                read | core | namespaces nodes
                read create | core | services
                read patch | core | replicationcontrollers
                update patch | core | replicationcontrollers/status
                update | core | replicationcontrollers/finalizers
                read create patch delete | apps | replicasets controllerrevisions
                read patch | apps | deployments statefulsets daemonsets
                update patch | apps | deployments/status replicasets/status statefulsets/status daemonsets/status
                update | apps | deployments/finalizers replicasets/finalizers
                update | apps | statefulsets/finalizers daemonsets/finalizers
                read create patch delete | batch | jobs
                read | batch | cronjobs
                update patch | batch | jobs/status cronjobs/status
                update | batch | jobs/finalizers cronjobs/finalizers
                read create update patch delete | discovery.k8s.io | endpointslices
                read | autoscaling | horizontalpodautoscalers
                update patch | autoscaling | horizontalpodautoscalers/status
                patch | * | */scale
                read | apiextensions.k8s.io | customresourcedefinitions
                read | policy | poddisruptionbudgets
                update patch | policy | poddisruptionbudgets/status
                read | networking.k8s.io | networkpolicies
                """);
    }

    @Override
    public Running start(Place place) {
        var caches = place.caches();
        var address = place.ground().address().get();
        var usages = new PodUsages(place.pods(), caches.of(Pods.KIND), AutoscalerReconciler.PERIOD, place.timers());
        var scales = new CustomScales(place.cluster(), AutoscalerReconciler.PERIOD, place.timers());
        return Running.of(
                        replicaSets(caches),
                        replicationControllers(caches),
                        deployments(caches),
                        jobs(caches),
                        jobPods(caches),
                        cronJobs(caches),
                        finishedJobs(caches),
                        statefulSets(caches),
                        daemonSets(caches),
                        ServiceControllers.endpointSlices(caches),
                        ServiceControllers.endpoints(caches),
                        ServiceControllers.mirrors(caches),
                        ServiceControllers.kubernetesService(
                                caches, new KubernetesServiceReconciler.Listener(address.getHost(), address.getPort())),
                        UpkeepControllers.disruptionBudgets(caches),
                        UpkeepControllers.lostPods(caches),
                        UpkeepControllers.finishedPods(caches, FinishedPodsReconciler.MOST),
                        new AutoscalerControllers(caches, usages, scales).autoscalers())
                .closing(usages::close)
                .closing(scales::close);
    }

    static Controller<Json.Obj, Claim.Candidates> replicaSets(Caches caches) {
        return replicas("replicaset-controller", ReplicaSets.KIND, caches);
    }

    static Controller<Json.Obj, Claim.Candidates> replicationControllers(Caches caches) {
        return replicas("replication-controller", ReplicationControllers.KIND, caches);
    }

    private static Controller<Json.Obj, Claim.Candidates> replicas(String name, Kind<Json.Obj> kind, Caches caches) {
        var pods = caches.of(Pods.KIND);
        var controller = Controller.of(
                name, kind, set -> Claim.Candidates.of(pods, set.object()), new ReplicaSetReconciler(kind));
        return woken(controller, Claim.triggers(Pods.KIND, kind, caches));
    }

    static Controller<Json.Obj, DeploymentReconciler.Facts> deployments(Caches caches) {
        var sets = caches.of(ReplicaSets.KIND);
        var pods = caches.of(Pods.KIND);
        var deployments = caches.of(Deployments.KIND);
        var controller = Controller.of(
                "deployment-controller",
                Deployments.KIND,
                deployment -> {
                    var candidates = Claim.Candidates.of(sets, deployment.object());
                    Map<String, List<Pod>> owned = new HashMap<>();
                    if (DeploymentReconciler.recreates(deployment.object())) {
                        candidates.owned().forEach(set -> owned.put(set.uid(), Pod.all(pods.ownedBy(set.uid()))));
                    }
                    var named = new ObjectName(
                            deployment.object().cluster(),
                            deployment.object().namespace(),
                            DeploymentReconciler.newestName(deployment.object()));
                    return new DeploymentReconciler.Facts(candidates, sets.get(named), owned);
                },
                new DeploymentReconciler());
        // The end of the last old pod is what a Deployment waits for that recreates.
        var gone = Trigger.of(
                Pods.KIND,
                pod -> pod.controller()
                        .filter(owner -> owner.kind().equals("ReplicaSet"))
                        .flatMap(owner -> sets.get(new ObjectName(pod.cluster(), pod.namespace(), owner.name())))
                        .flatMap(Resource::controller)
                        .filter(owner -> owner.kind().equals("Deployment"))
                        .map(owner -> new ObjectName(pod.cluster(), pod.namespace(), owner.name()))
                        .filter(name -> deployments
                                .get(name)
                                .filter(DeploymentReconciler::recreates)
                                .isPresent())
                        .map(List::of)
                        .orElse(List.of()));
        return woken(controller, Claim.triggers(ReplicaSets.KIND, Deployments.KIND, caches))
                .wokenBy(gone);
    }

    static Controller<Json.Obj, Claim.Candidates> jobs(Caches caches) {
        var pods = caches.of(Pods.KIND);
        var controller = Controller.of(
                "job-controller", Jobs.KIND, job -> Claim.Candidates.of(pods, job.object()), new JobReconciler());
        return woken(controller, Claim.triggers(Pods.KIND, Jobs.KIND, caches));
    }

    static Controller<Json.Obj, Optional<Resource>> jobPods(Caches caches) {
        var jobs = caches.of(Jobs.KIND);
        var pods = caches.of(Pods.KIND);
        return Controller.of(
                        "job-controller-pods",
                        Pods.KIND,
                        pod -> pod.object()
                                .controller()
                                .flatMap(owner -> jobs.get(new ObjectName(
                                                pod.object().cluster(),
                                                pod.object().namespace(),
                                                owner.name()))
                                        .filter(job -> job.uid().equals(owner.uid()))),
                        new JobPodReconciler())
                .onlyFor(JobPodReconciler::isTracked)
                .wokenBy(Trigger.of(
                        Jobs.KIND,
                        job -> pods.ownedBy(job.uid()).stream()
                                .filter(pod -> pod.isDeleting() && JobPodReconciler.isTracked(pod))
                                .map(ObjectName::of)
                                .toList()));
    }

    static Controller<Json.Obj, List<Resource>> cronJobs(Caches caches) {
        var jobs = caches.of(Jobs.KIND);
        return Controller.of(
                        "cronjob-controller",
                        CronJobs.KIND,
                        cronJob -> Claim.Candidates.of(jobs, cronJob.object()).owned(),
                        new CronJobReconciler())
                .wokenBy(Trigger.owned(Jobs.KIND, CronJobs.KIND));
    }

    static Controller<Json.Obj, Optional<Void>> finishedJobs(Caches caches) {
        return Controller.of(
                "ttl-after-finished-controller", Jobs.KIND, _ -> Optional.empty(), new FinishedJobReconciler());
    }

    static Controller<Json.Obj, StatefulSetReconciler.Facts> statefulSets(Caches caches) {
        var pods = caches.of(Pods.KIND);
        var revisions = caches.of(ControllerRevisions.KIND);
        var claims = caches.of(PersistentVolumeClaims.KIND);
        var sets = caches.of(StatefulSets.KIND);
        var controller = Controller.of(
                "statefulset-controller",
                StatefulSets.KIND,
                set -> new StatefulSetReconciler.Facts(
                        Claim.Candidates.of(pods, set.object()),
                        Claim.Candidates.of(revisions, set.object()),
                        name -> claims.get(new ObjectName(
                                set.object().cluster(), set.object().namespace(), name))),
                new StatefulSetReconciler());
        // A claim is named after its set: one that ends may let a pod be made.
        var claimChanged = Trigger.of(
                PersistentVolumeClaims.KIND,
                claim -> sets.in(claim.cluster(), claim.namespace()).stream()
                        .filter(set -> set.spec().array("volumeClaimTemplates").size() > 0
                                && claim.name().contains("-" + set.name() + "-"))
                        .map(ObjectName::of)
                        .toList());
        return woken(controller, Claim.triggers(Pods.KIND, StatefulSets.KIND, caches))
                .wokenBy(Trigger.owned(ControllerRevisions.KIND, StatefulSets.KIND))
                .wokenBy(claimChanged);
    }

    static Controller<Json.Obj, DaemonSetReconciler.Facts> daemonSets(Caches caches) {
        var pods = caches.of(Pods.KIND);
        var revisions = caches.of(ControllerRevisions.KIND);
        var nodes = caches.of(Nodes.KIND);
        var sets = caches.of(DaemonSets.KIND);
        var controller = Controller.of(
                "daemonset-controller",
                DaemonSets.KIND,
                set -> new DaemonSetReconciler.Facts(
                        Claim.Candidates.of(pods, set.object()),
                        Claim.Candidates.of(revisions, set.object()),
                        nodes.in(set.object().cluster(), "")),
                new DaemonSetReconciler());
        return woken(controller, Claim.triggers(Pods.KIND, DaemonSets.KIND, caches))
                .wokenBy(Trigger.owned(ControllerRevisions.KIND, DaemonSets.KIND))
                .wokenBy(Trigger.of(
                        Nodes.KIND,
                        node -> sets.list().stream()
                                .filter(set -> set.cluster().equals(node.cluster()))
                                .map(ObjectName::of)
                                .toList()));
    }

    private static <T, F> Controller<T, F> woken(Controller<T, F> controller, List<Trigger> triggers) {
        var woken = controller;
        for (var trigger : triggers) {
            woken = woken.wokenBy(trigger);
        }
        return woken;
    }
}
