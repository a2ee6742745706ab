package dev.towtank.controllers.triggers;

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
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.source.EventsEndpoint;
import dev.towtank.controllers.triggers.source.GitWatch;
import dev.towtank.controllers.triggers.source.Listeners;
import dev.towtank.controllers.triggers.validation.TriggersBehaviour;
import dev.towtank.model.Json;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.util.List;
import java.util.Map;

/// Tekton Triggers.
public final class TriggersFeature implements Feature {

    @Override
    public String name() {
        return "triggers";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                TriggersFeature.class,
                "crds/eventlisteners.yaml",
                "crds/triggers.yaml",
                "crds/triggerbindings.yaml",
                "crds/clustertriggerbindings.yaml",
                "crds/triggertemplates.yaml",
                "crds/interceptors.yaml",
                "crds/clusterinterceptors.yaml",
                "crds/gitrepositories.yaml",
                "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return TriggersBehaviour.all();
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | triggers.tekton.dev | *
                update patch | triggers.tekton.dev | eventlisteners/status triggers/status
                patch | triggers.tekton.dev | triggers
                read | triggers.towtank.dev | gitrepositories
                update patch | triggers.towtank.dev | gitrepositories/status
                read | core | configmaps
                update | triggers.tekton.dev | eventlisteners/finalizers
                read | operator.tekton.dev | tektonconfigs
                read | core | secrets
                list | tekton.dev | pipelineruns taskruns
                read create update patch delete | core | services
                read create update patch delete | discovery.k8s.io | endpointslices
                create | core | serviceaccounts/token
                create | authorization.k8s.io | subjectaccessreviews
                """);
    }

    @Override
    public Running start(Place place) {
        var listeners = new Listeners(place);
        var watch = new GitWatch(place.cluster(), listeners, SshCommand.of(place.ground()), place.timers());
        var refs = new Outside<>("git repositories", watch::refs, Outside.Limits.USUAL, place.timers());
        return Running.of(controller(place, listeners), schedules(place, listeners), repositories(place, watch, refs))
                .observing(List.of(Observer.of(TriggersKinds.EVENT_LISTENER, listeners::seen)))
                .serving(EventsEndpoint.of(place.cluster(), listeners))
                .closing(refs::close)
                .closing(listeners::close);
    }

    private static Controller<Json.Obj, Boolean> schedules(Place place, Listeners listeners) {
        var triggers = place.caches().of(TriggersKinds.TRIGGER);
        return Controller.of("trigger-schedules", TriggersKinds.TRIGGER, _ -> true, new ScheduleReconciler())
                .doing(
                        ScheduleReconciler.Start.class,
                        start -> triggers.get(start.trigger()).isPresent()
                                ? listeners.scheduled(
                                        triggers.get(start.trigger()).get(), start.due())
                                : Json.Null.NULL);
    }

    private static Controller<Json.Obj, Outside.Answer<Map<String, String>>> repositories(
            Place place, GitWatch watch, Outside<GitWatch.Question, Map<String, String>> refs) {
        var repositories = place.caches().of(TriggersKinds.GIT_REPOSITORY);
        return Controller.of(
                        "git-repositories",
                        TriggersKinds.GIT_REPOSITORY,
                        repository -> {
                            var object = repository.object();
                            long tick = place.timers().instant().toEpochMilli()
                                    / GitRepositoryReconciler.interval(object).toMillis();
                            return refs.ask(repository.name(), GitWatch.Question.of(object, tick));
                        },
                        new GitRepositoryReconciler())
                .wokenBy(refs)
                .doing(GitRepositoryReconciler.Push.class, push -> {
                    var repository = repositories.get(push.repository());
                    return repository.isEmpty()
                            ? Json.Null.NULL
                            : watch.push(repository.get(), push.branch(), push.before(), push.after());
                });
    }

    private static Controller<Json.Obj, EventListenerReconciler.Facts> controller(Place place, Listeners listeners) {
        var known = place.caches().of(TriggersKinds.EVENT_LISTENER);
        var services = place.caches().of(Services.KIND);
        var slices = place.caches().of(EndpointSlices.KIND);
        return Controller.of(
                        "eventlistener-controller",
                        TriggersKinds.EVENT_LISTENER,
                        listener -> {
                            var object = listener.object();
                            var name = new ObjectName(
                                    object.cluster(),
                                    object.namespace(),
                                    EventListenerReconciler.generatedName(object));
                            return new EventListenerReconciler.Facts(
                                    listeners.identity(object),
                                    listeners.port(object),
                                    services.get(name),
                                    slices.get(name));
                        },
                        new EventListenerReconciler())
                .doing(OpenPort.class, deed -> Json.of(listeners.open(deed.listener())))
                .wokenBy(Trigger.of(
                        Secrets.KIND,
                        secret -> known.in(secret.cluster(), secret.namespace()).stream()
                                .filter(EventListenerReconciler::isSecure)
                                .map(ObjectName::of)
                                .toList()))
                .wokenBy(Trigger.owned(Services.KIND, TriggersKinds.EVENT_LISTENER))
                .wokenBy(Trigger.owned(EndpointSlices.KIND, TriggersKinds.EVENT_LISTENER));
    }
}
