package dev.towtank.controllers.triggers.validation;

import dev.towtank.controllers.triggers.events.Headers;
import dev.towtank.model.Json;
import java.util.Set;

/// Bindings, template and interceptors, in a Trigger or in a listener.
final class TriggerChecks {

    private static final Set<String> VERSIONS = Set.of("", "v1alpha1", "v1beta1");

    private TriggerChecks() {}

    static TriggerProblems of(Json.Obj spec) {
        return parts(spec, true);
    }

    static TriggerProblems parts(Json.Obj trigger, boolean hasTemplate) {
        var problems = bindings(trigger);
        if (hasTemplate) {
            problems.add(template(trigger.object("template")));
        }
        var interceptors = trigger.array("interceptors");
        for (int i = 0; i < interceptors.size(); i++) {
            var path = "interceptors[" + i + "]";
            if (!(interceptors.get(i) instanceof Json.Obj interceptor)) {
                return problems.add(TriggerProblems.invalid("interceptor '<nil>' must be a valid value", path));
            }
            problems.add(interceptor(interceptor).below(path));
        }
        return problems;
    }

    private static TriggerProblems template(Json.Obj template) {
        var problems = new TriggerProblems()
                .addIf(
                        !VERSIONS.contains(template.string("apiversion")),
                        TriggerProblems.invalid("invalid apiVersion", "template.apiVersion"));
        boolean hasSpec = template.has("spec");
        boolean hasReference = template.has("ref");
        if (hasSpec && hasReference) {
            return problems.add(TriggerProblems.both("template.spec", "template.ref"));
        }
        if (!hasSpec && !hasReference) {
            return problems.add(TriggerProblems.neither("template.spec", "template.ref"));
        }
        return hasSpec
                ? problems.add(Checks.template(template.object("spec")))
                : problems.addIf(template.string("ref").isEmpty(), TriggerProblems.missing("template.ref"));
    }

    private static TriggerProblems bindings(Json.Obj trigger) {
        var problems = new TriggerProblems();
        int number = 0;
        for (var binding : trigger.objects("bindings")) {
            var path = "bindings[" + number++ + "]";
            var kind = binding.string("kind");
            boolean hasName = !binding.string("name").isEmpty();
            if (!binding.string("ref").isEmpty()) {
                problems.addIf(hasName, TriggerProblems.both(path + ".ref", path + ".name"));
                problems.addIf(
                        !hasName && !kind.equals("TriggerBinding") && !kind.equals("ClusterTriggerBinding"),
                        TriggerProblems.invalid("invalid kind", path + ".kind"));
            } else if (hasName) {
                problems.addIf(!binding.has("value"), TriggerProblems.missing(path + ".value"));
            } else {
                problems.add(TriggerProblems.neither(path + ".ref", path + ".spec", path + ".name"));
            }
        }
        return problems;
    }

    private static TriggerProblems interceptor(Json.Obj interceptor) {
        if (!interceptor.has("webhook")) {
            return new TriggerProblems()
                    .addIf(interceptor.string("ref", "name").isEmpty(), TriggerProblems.missing("interceptor"));
        }
        var webhook = interceptor.object("webhook");
        var problems = new TriggerProblems();
        if (!webhook.has("objectRef")) {
            problems.add(TriggerProblems.missing("interceptor.webhook.objectRef"));
        } else {
            problems.add(required(webhook.object("objectRef"), "kind", "Service"));
            problems.add(required(webhook.object("objectRef"), "apiVersion", "v1"));
        }
        int number = 0;
        for (var header : webhook.objects("header")) {
            var path = "interceptor.webhook.header[" + number++ + "]";
            var name = header.string("name");
            problems.addIf(
                    name.isEmpty() || !Headers.canonical(name).equals(name),
                    TriggerProblems.invalid("invalid header name", path + ".name"));
            boolean isEmpty = header.get("value") instanceof Json.Arr many
                    ? many.size() == 0
                    : header.string("value").isEmpty();
            problems.addIf(isEmpty, TriggerProblems.invalid("invalid header value", path + ".value"));
        }
        return problems;
    }

    private static TriggerProblems required(Json.Obj reference, String field, String only) {
        var path = "interceptor.webhook.objectRef." + field;
        var value = reference.string(field);
        return value.isEmpty()
                ? TriggerProblems.missing(path)
                : new TriggerProblems().addIf(!value.equals(only), TriggerProblems.invalid("invalid " + field, path));
    }
}
