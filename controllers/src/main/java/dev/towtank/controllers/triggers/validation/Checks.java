package dev.towtank.controllers.triggers.validation;

import dev.towtank.controllers.triggers.events.Schedule;
import dev.towtank.model.Json;
import java.util.HashSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What is wrong with an object, in upstream's words.
final class Checks {

    private static final int LONGEST_LISTENER_NAME = 60;
    private static final int LONGEST_NAME = 63;
    private static final Pattern PARAM = Pattern.compile("\\$\\(tt.params.([_a-zA-Z][_a-zA-Z0-9.-]*)\\)");
    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final String PAYLOAD_VALIDATION = "tekton.dev/payload-validation";

    private Checks() {}

    static TriggerProblems of(String kind, Json.Obj object) {
        var spec = object.object("spec");
        return switch (kind) {
            case "EventListener" -> listener(object);
            case "Trigger" ->
                named(object).add(TriggerChecks.of(spec).below("spec")).add(schedule(object));
            case "TriggerBinding" -> named(object).add(binding(spec).below("spec"));
            case "ClusterTriggerBinding" -> binding(spec);
            case "TriggerTemplate" -> named(object).add(template(spec).below("spec"));
            case "Interceptor", "ClusterInterceptor" -> interceptor(kind, spec);
            default -> new TriggerProblems();
        };
    }

    private static TriggerProblems named(Json.Obj object) {
        return new TriggerProblems()
                .addIf(
                        object.string("metadata", "name").length() > LONGEST_NAME,
                        TriggerProblems.of(
                                "Invalid resource name: length must be no more than " + LONGEST_NAME + " characters",
                                "metadata.name"));
    }

    private static TriggerProblems listener(Json.Obj object) {
        var problems = new TriggerProblems();
        var name = object.string("metadata", "name");
        problems.addIf(
                name.length() > LONGEST_LISTENER_NAME,
                TriggerProblems.invalid(
                        "eventListener name '" + name + "' must be no more than 60 characters long", "metadata.name"));
        var validation = object.string("metadata", "annotations", PAYLOAD_VALIDATION);
        problems.addIf(
                object.object("metadata", "annotations").has(PAYLOAD_VALIDATION)
                        && !validation.equals("true")
                        && !validation.equals("false"),
                TriggerProblems.invalid(
                        PAYLOAD_VALIDATION + " annotation must have value 'true' or 'false'", "metadata.annotations"));
        return problems.add(listenerSpec(object.object("spec")));
    }

    // Ours: upstream has no schedules.
    private static TriggerProblems schedule(Json.Obj object) {
        var text = object.string("metadata", "annotations", Schedule.ANNOTATION);
        return text.isEmpty()
                ? new TriggerProblems()
                : Schedule.problem(text)
                        .map(why -> TriggerProblems.invalid(
                                text, "metadata.annotations", Schedule.ANNOTATION + " is no schedule: " + why))
                        .orElseGet(TriggerProblems::new);
    }

    private static TriggerProblems listenerSpec(Json.Obj spec) {
        if (!spec.has("labelSelector")
                && spec.array("namespaceSelector", "matchNames").size() == 0
                && spec.array("triggerGroups").size() == 0
                && spec.array("triggers").size() == 0) {
            return TriggerProblems.neither(
                    "spec.labelSelector", "spec.namespaceSelector", "spec.triggerGroups", "spec.triggers");
        }
        var problems = new TriggerProblems();
        int number = 0;
        for (var trigger : spec.objects("triggers")) {
            problems.add(listenerTrigger(trigger).below("spec.triggers[" + number++ + "]"));
        }
        var resources = spec.object("resources");
        if (resources.has("kubernetesResource") && resources.has("customResource")) {
            return TriggerProblems.both("spec.resources.kubernetesResource", "spec.resources.customResource");
        }
        if (resources.has("kubernetesResource")) {
            problems.add(PodChecks.kubernetesResource(resources.object("kubernetesResource"))
                    .below("spec.resources.kubernetesResource"));
        }
        if (resources.has("customResource")) {
            problems.add(PodChecks.customResource(resources.object("customResource"))
                    .below("spec.resources.customResource"));
        }
        number = 0;
        for (var group : spec.objects("triggerGroups")) {
            problems.add(group(group).below("spec.triggerGroups[" + number++ + "]"));
        }
        return problems;
    }

    private static TriggerProblems group(Json.Obj group) {
        var selector = group.object("triggerSelector");
        return new TriggerProblems()
                .addIf(
                        !selector.has("labelSelector")
                                && selector.array("namespaceSelector", "matchNames")
                                                .size()
                                        == 0,
                        TriggerProblems.neither("triggerSelector.labelSelector", "triggerSelector.namespaceSelector"))
                .addIf(group.array("interceptors").size() == 0, TriggerProblems.missing("interceptors"));
    }

    private static TriggerProblems listenerTrigger(Json.Obj trigger) {
        boolean hasReference = !trigger.string("triggerRef").isEmpty();
        boolean hasTemplate = trigger.has("template");
        var name = trigger.string("name");
        return new TriggerProblems()
                .addIf(!hasTemplate && !hasReference, TriggerProblems.neither("template", "triggerRef"))
                .addIf(
                        hasReference && (hasTemplate || trigger.has("bindings") || trigger.has("interceptors")),
                        TriggerProblems.both("triggerRef", "template or bindings or interceptors"))
                .add(TriggerChecks.parts(trigger, hasTemplate))
                .addIf(
                        !LABEL_VALUE.matcher(name).matches(),
                        TriggerProblems.invalid("trigger name '" + name + "' must be a valid label value", "name"));
    }

    private static TriggerProblems binding(Json.Obj spec) {
        if (spec.size() == 0) {
            return TriggerProblems.missing("");
        }
        var seen = new HashSet<String>();
        int number = 0;
        for (var param : spec.objects("params")) {
            if (!seen.add(param.string("name"))) {
                return TriggerProblems.both("params[" + number + "].name");
            }
            if (isUnterminated(param.string("value"))) {
                return TriggerProblems.invalid(param.string("value"), "params[" + number + "].value");
            }
            number++;
        }
        return new TriggerProblems();
    }

    // Upstream looks at all but the last; the last is a mistake just as well.
    private static boolean isUnterminated(String value) {
        var parts = value.split(Pattern.quote("$("), -1);
        for (int i = 1; i < parts.length; i++) {
            int open = 1;
            for (int at = 0; at < parts[i].length() && open > 0; at++) {
                char c = parts[i].charAt(at);
                open += c == '(' ? 1 : c == ')' ? -1 : 0;
            }
            if (open > 0) {
                return true;
            }
        }
        return false;
    }

    static TriggerProblems template(Json.Obj spec) {
        var problems = new TriggerProblems();
        var resources = spec.array("resourcetemplates");
        problems.addIf(spec.size() == 0, TriggerProblems.missing(""));
        problems.addIf(resources.size() == 0, TriggerProblems.missing("resourcetemplates"));
        for (int i = 0; i < resources.size(); i++) {
            var resource = resources.get(i) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
            problems.addIf(
                    resource.string("kind").isEmpty(), TriggerProblems.missing("resourcetemplates[" + i + "].kind"));
            problems.addIf(
                    resource.string("apiVersion").isEmpty(),
                    TriggerProblems.missing("resourcetemplates[" + i + "].apiVersion"));
        }
        return problems.add(undeclared(spec));
    }

    private static TriggerProblems undeclared(Json.Obj spec) {
        var declared = spec.objects("params").stream()
                .map(param -> param.string("name"))
                .collect(Collectors.toSet());
        var resources = spec.array("resourcetemplates");
        for (int i = 0; i < resources.size(); i++) {
            var used = PARAM.matcher(resources.get(i).toString());
            while (used.find()) {
                if (!declared.contains(used.group(1))) {
                    var variable = "'$(tt.params." + used.group(1) + ")'";
                    return TriggerProblems.invalid(
                            "undeclared param " + variable,
                            "resourcetemplates[" + i + "]",
                            variable + " must be declared in spec.params");
                }
            }
        }
        return new TriggerProblems();
    }

    private static TriggerProblems interceptor(String kind, Json.Obj spec) {
        var client = spec.object("clientConfig");
        var service = client.object("service");
        return new TriggerProblems()
                .addIf(
                        client.has("url") && client.has("service"),
                        TriggerProblems.both("spec.clientConfig.url", "spec.clientConfig.service"))
                .addIf(
                        client.has("service")
                                && service.string("namespace").isEmpty()
                                && kind.equals("ClusterInterceptor"),
                        TriggerProblems.missing("spec.clientConfig.service.namespace"))
                .addIf(
                        client.has("service") && service.string("name").isEmpty(),
                        TriggerProblems.missing("spec.clientConfig.service.name"));
    }
}
