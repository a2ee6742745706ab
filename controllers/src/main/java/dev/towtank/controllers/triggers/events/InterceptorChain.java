package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Interceptors one after another, each of which may add to an event or stop it.
///
/// @param namespace of the trigger: secrets are read there
/// @param listenerNamespace where Interceptors are found
/// @param owner the trigger or group, as requests name it
record InterceptorChain(World world, String namespace, String listenerNamespace, String owner, Deviations deviations) {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String CORE_SERVICE = "tekton-triggers-core-interceptors";

    Event run(List<Json.Obj> interceptors, Event event) throws EventRefusal {
        if (interceptors.isEmpty()) {
            return event;
        }
        var current = formAsJson(interceptors.getFirst(), event);
        for (var interceptor : interceptors) {
            current = one(interceptor, current);
        }
        return current;
    }

    private Event one(Json.Obj interceptor, Event event) throws EventRefusal {
        if (interceptor.has("webhook")) {
            var webhook = interceptor.object("webhook");
            return world.pass(destination(webhook), withExtensionsInBody(event), webhook.array("header"));
        }
        var params = Json.Obj.builder();
        for (var param : interceptor.objects("params")) {
            var value = param.get("value");
            params.put(param.string("name"), value == null ? Json.Null.NULL : value);
        }
        return event.with(extensions(interceptor.object("ref"), params.build(), event));
    }

    private Destination destination(Json.Obj webhook) {
        var url = webhook.string("url");
        var place = webhook.string("objectRef", "namespace");
        return url.isEmpty()
                ? new Destination.Service(
                        place.isEmpty() ? namespace : place,
                        webhook.string("objectRef", "name"),
                        Destination.PLAIN,
                        "",
                        "")
                : new Destination.Address(url, "");
    }

    private Json.Obj extensions(Json.Obj reference, Json.Obj params, Event event) throws EventRefusal {
        var name = reference.string("name");
        boolean isNamespaced = reference.string("kind").equals("NamespacedInterceptor");
        var found = isNamespaced
                ? world.find(TriggersKinds.INTERCEPTOR, listenerNamespace, name)
                : world.find(TriggersKinds.CLUSTER_INTERCEPTOR, "", name);
        boolean isCore = found.map(each ->
                        each.spec().string("clientConfig", "service", "name").equals(CORE_SERVICE))
                .orElse(!isNamespaced && CoreInterceptors.has(name));
        if (isCore) {
            var means =
                    new Means(world.secrets(namespace), world.gitHub(), deviations, world.now(), world.expressions());
            return CoreInterceptors.process(name, event, params, means);
        }
        var interceptor = found.orElseThrow(() -> new EventRefusal(
                Code.NOT_FOUND,
                "url resolution failed for interceptor " + name + " with: "
                        + (isNamespaced ? "interceptor" : "clusterinterceptor") + ".triggers.tekton.dev \"" + name
                        + "\" not found"));
        return answered(name, world.ask(Destination.of(interceptor.json(), listenerNamespace), request(event, params)));
    }

    private Json.Obj request(Event event, Json.Obj params) {
        var context = Json.Obj.of(
                "event_url", Json.of(event.url()),
                "event_id", Json.of(event.id()),
                "trigger_id", Json.of(owner));
        return Json.Obj.builder()
                .put("body", event.body())
                .put("header", event.headers().lists())
                .put("extensions", event.extensions())
                .put("interceptor_params", params)
                .put("context", context)
                .build();
    }

    private static Json.Obj answered(String name, Json.Obj answer) throws EventRefusal {
        if (!answer.flag("continue")) {
            var why = answer.string("status", "message");
            throw new EventRefusal(
                    Code.of(answer.integer("status", "code")),
                    why.isEmpty() ? "the interceptor " + name + " stopped the event" : why);
        }
        return answer.object("extensions");
    }

    private static Event withExtensionsInBody(Event event) throws EventRefusal {
        if (event.extensions().size() == 0) {
            return event;
        }
        if (!(event.json() instanceof Json.Obj body)) {
            throw new EventRefusal(Code.INVALID_ARGUMENT, "could not merge extensions with body: it is no JSON object");
        }
        var merged = body.object("extensions");
        for (var extension : event.extensions()) {
            merged = merged.with(extension.getKey(), extension.getValue());
        }
        return event.with(body.with("extensions", merged).toString());
    }

    private static Event formAsJson(Json.Obj first, Event event) {
        boolean isForm = event.headers().first("Content-Type").startsWith(FORM);
        if (!isForm || (first.has("webhook") && event.extensions().size() == 0)) {
            return event;
        }
        var fields = new TreeMap<String, List<String>>();
        for (var pair : event.body().split("&", -1)) {
            int sign = pair.indexOf('=');
            fields.computeIfAbsent(decoded(sign < 0 ? pair : pair.substring(0, sign)), _ -> new ArrayList<>())
                    .add(sign < 0 ? "" : decoded(pair.substring(sign + 1)));
        }
        if (fields.size() < 2) {
            return event;
        }
        var json = Json.Obj.builder();
        fields.forEach((name, values) -> json.put(name, Json.Arr.ofStrings(values)));
        return event.with(json.build().toString());
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
