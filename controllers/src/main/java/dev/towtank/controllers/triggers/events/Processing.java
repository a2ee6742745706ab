package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a listener does with an event: which objects its triggers make of it, or why they do not.
///
/// @param listener the EventListener
public record Processing(Resource listener, World world) {

    private static final String GROUP = TriggersKinds.GROUP + "/";

    /// A trigger, wherever it is written.
    private record Candidate(String namespace, String name, Json.Obj spec) {
        static Candidate of(Resource trigger) {
            return new Candidate(trigger.namespace(), trigger.name(), trigger.spec());
        }
    }

    /// In the order of the triggers: selected ones, those of the listener, those of groups.
    public List<TriggerOutcome> of(Event event) {
        var outcomes = new ArrayList<TriggerOutcome>();
        var spec = listener.spec();
        for (var trigger : selected(spec)) {
            outcomes.add(outcome(Candidate.of(trigger), event));
        }
        for (var trigger : spec.objects("triggers")) {
            outcomes.add(written(trigger, event));
        }
        for (var group : spec.objects("triggerGroups")) {
            outcomes.addAll(group(group, event));
        }
        return outcomes;
    }

    private TriggerOutcome written(Json.Obj trigger, Event event) {
        var reference = trigger.string("triggerRef");
        if (trigger.has("template") || reference.isEmpty()) {
            return outcome(new Candidate(listener.namespace(), trigger.string("name"), trigger), event);
        }
        return world.find(TriggersKinds.TRIGGER, listener.namespace(), reference)
                .map(found -> outcome(Candidate.of(found), event))
                .orElseGet(() -> new TriggerOutcome.Refused(
                        reference,
                        Code.NOT_FOUND,
                        "Error getting Trigger " + reference + " in Namespace " + listener.namespace()
                                + ": it does not exist",
                        false));
    }

    private List<TriggerOutcome> group(Json.Obj group, Event event) {
        var name = group.string("name");
        var chain = new InterceptorChain(
                world,
                listener.namespace(),
                listener.namespace(),
                "namespaces/" + listener.namespace() + "/triggerGroups/" + name,
                Deviations.of(listener));
        try {
            var passed = chain.run(group.objects("interceptors"), event);
            return selected(group.object("triggerSelector")).stream()
                    .map(trigger -> outcome(Candidate.of(trigger), passed))
                    .toList();
        } catch (EventRefusal e) {
            return List.of(refused("group " + name, e));
        } catch (JsonText.Malformed e) {
            return List.of(unreadable("group " + name, e));
        }
    }

    private List<Resource> selected(Json.Obj selector) {
        var names = selector.array("namespaceSelector", "matchNames").strings();
        boolean hasLabels = selector.has("labelSelector");
        if (names.isEmpty() && !hasLabels) {
            return List.of();
        }
        var labels = hasLabels ? LabelSelector.of(selector.object("labelSelector")) : LabelSelector.EVERYTHING;
        return (names.isEmpty() ? Stream.of(listener.namespace()) : names.stream())
                .distinct()
                .flatMap(namespace -> world.triggers(namespace).stream())
                .filter(trigger -> labels.matches(trigger.json()))
                .toList();
    }

    private TriggerOutcome outcome(Candidate trigger, Event event) {
        try {
            return made(trigger, event);
        } catch (EventRefusal e) {
            return refused(trigger.name, e);
        } catch (JsonText.Malformed e) {
            return unreadable(trigger.name, e);
        }
    }

    private static TriggerOutcome refused(String trigger, EventRefusal why) {
        boolean isUsual = why.code() == Code.FAILED_PRECONDITION
                && (why.text().endsWith("did not return true") || why.text().endsWith("is not allowed"));
        return new TriggerOutcome.Refused(trigger, why.code(), why.text(), isUsual);
    }

    private static TriggerOutcome unreadable(String trigger, JsonText.Malformed why) {
        return new TriggerOutcome.Refused(
                trigger, Code.INVALID_ARGUMENT, "failed to unmarshal request body: " + why.getMessage(), false);
    }

    private TriggerOutcome made(Candidate trigger, Event event) throws EventRefusal {
        var chain = new InterceptorChain(
                world,
                trigger.namespace,
                listener.namespace(),
                "namespaces/" + trigger.namespace + "/triggers/" + trigger.name,
                Deviations.of(listener));
        var passed = chain.run(trigger.spec.objects("interceptors"), event);
        var parts = new TriggerParts(trigger.namespace, trigger.spec, world);
        var params = parts.bindings();
        var template = parts.template();
        var values = Templates.params(params, template.object("spec"), passed);
        boolean oldEscape = template.object("metadata", "annotations").has(Templates.OLD_ESCAPE);
        var objects = new ArrayList<Json.Obj>();
        for (var object : Templates.objects(template.object("spec"), values, world.newUid(), oldEscape)) {
            objects.add(labelled(object, trigger, event.id()));
        }
        return new TriggerOutcome.Make(
                trigger.name, trigger.namespace, trigger.spec.string("serviceAccountName"), objects);
    }

    private Json.Obj labelled(Json.Obj object, Candidate trigger, String eventId) {
        var labels = object.object("metadata", "labels")
                .with(GROUP + "eventlistener", Json.of(listener.name()))
                .with(GROUP + "triggers-eventid", Json.of(eventId))
                .with(GROUP + "trigger", Json.of(trigger.name));
        var metadata = object.object("metadata").with("labels", labels);
        return object.with(
                "metadata",
                metadata.string("namespace").isEmpty()
                        ? metadata.with("namespace", Json.of(trigger.namespace))
                        : metadata);
    }
}
