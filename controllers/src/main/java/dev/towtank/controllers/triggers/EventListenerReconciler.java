package dev.towtank.controllers.triggers;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.source.Identity;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Gives every EventListener a port, a Service `el-<name>` that leads there, and a status that says so.
final class EventListenerReconciler implements Reconciler<Json.Obj, EventListenerReconciler.Facts> {

    private static final int USUAL_PORT = 8080;
    private static final int SECURE_PORT = 8443;

    /// @param identity with which it speaks TLS, where it does
    /// @param port where the listener listens, once it does
    record Facts(
            Optional<Identity> identity, Optional<Integer> port, Optional<Resource> service, Optional<Resource> slice) {
        Facts listeningOn(int number) {
            return new Facts(identity, Optional.of(number), service, slice);
        }
    }

    /// The rest of the plan, when it listens.
    private record Listening(Observed<Json.Obj> listener, Facts facts, Instant now) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return result instanceof Json.Int(var port)
                    ? served(listener.object(), facts.listeningOn((int) port), now)
                    : Plan.none();
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var listener = primary.object();
        if (listener.isDeleting()) {
            return Plan.none();
        }
        if (facts.identity.isPresent() && facts.identity.get() instanceof Identity.Missing(var why)) {
            return new Plan.Builder()
                    .setStatus(TriggersKinds.EVENT_LISTENER, listener, status(listener, now, false, why))
                    .build();
        }
        return facts.port.isPresent()
                ? served(listener, facts, now)
                : Plan.of(new Change.Act(new OpenPort(primary.name()), new Listening(primary, facts, now)));
    }

    private static Plan served(Resource listener, Facts facts, Instant now) {
        var plan = new Plan.Builder();
        keep(plan, Services.KIND, facts.service, service(listener), List.of("type", "ports"), "spec");
        keep(
                plan,
                EndpointSlices.KIND,
                facts.slice,
                slice(listener, facts.port.orElseThrow()),
                List.of("endpoints", "ports"),
                "");
        return plan.setStatus(
                        TriggersKinds.EVENT_LISTENER, listener, status(listener, now, true, "EventListener is ready"))
                .build();
    }

    // Only what we say is compared: the server adds to both.
    private static void keep(
            Plan.Builder plan,
            Kind<?> kind,
            Optional<Resource> known,
            Resource wanted,
            List<String> fields,
            String below) {
        if (known.isEmpty()) {
            plan.create(kind, wanted);
            return;
        }
        var are = below.isEmpty() ? known.get().json() : known.get().json().object(below);
        var shall = below.isEmpty() ? wanted.json() : wanted.json().object(below);
        var patch = Json.Obj.EMPTY;
        for (var field : fields) {
            var value = shall.get(field);
            if (value != null && !includes(are.get(field), value)) {
                patch = patch.with(field, value);
            }
        }
        if (patch.size() > 0) {
            plan.patch(kind, known.get(), below.isEmpty() ? patch : Json.Obj.of(below, patch));
        }
    }

    private static boolean includes(@Nullable Json whole, Json part) {
        if (part instanceof Json.Obj fields && whole instanceof Json.Obj object) {
            for (var field : fields) {
                if (!includes(object.get(field.getKey()), field.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (part instanceof Json.Arr items && whole instanceof Json.Arr array) {
            if (items.size() != array.size()) {
                return false;
            }
            for (int i = 0; i < items.size(); i++) {
                if (!includes(array.get(i), items.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return part.equals(whole);
    }

    static String generatedName(Resource listener) {
        var known = listener.status().string("configuration", "generatedName");
        return known.isEmpty() ? "el-" + listener.name() : known;
    }

    static boolean isSecure(Resource listener) {
        return Identity.of(listener, _ -> Optional.empty()).isPresent();
    }

    private static String portName(Resource listener) {
        return isSecure(listener) ? "https-listener" : "http-listener";
    }

    private static int usualPort(Resource listener) {
        return isSecure(listener) ? SECURE_PORT : USUAL_PORT;
    }

    private static long servicePort(Resource listener) {
        return listener.spec().integerOr(usualPort(listener), "resources", "kubernetesResource", "servicePort");
    }

    private static Json.Obj metadata(Resource listener, Json.Obj more) {
        var labels = more;
        for (var label : listener.labels().entrySet()) {
            labels = labels.with(label.getKey(), Json.of(label.getValue()));
        }
        labels = labels.with("app.kubernetes.io/managed-by", Json.of("EventListener"))
                .with("app.kubernetes.io/part-of", Json.of("Triggers"))
                .with("eventlistener", Json.of(listener.name()));
        return Json.Obj.builder()
                .put("name", generatedName(listener))
                .put("namespace", listener.namespace())
                .put("labels", labels)
                .put("ownerReferences", Json.Arr.of(listener.asOwner(true).json()))
                .build();
    }

    private static Resource service(Resource listener) {
        var resource = listener.spec().object("resources", "kubernetesResource");
        var type = resource.string("serviceType");
        var port = Json.Obj.builder()
                .put("name", portName(listener))
                .put("protocol", "TCP")
                .put("port", servicePort(listener))
                .put("targetPort", usualPort(listener));
        if (type.equals("NodePort") && resource.has("servicePort")) {
            port.put("nodePort", servicePort(listener));
        }
        var spec = Json.Obj.builder().put("type", type.isEmpty() ? "ClusterIP" : type);
        spec.put("ports", Json.Arr.of(port.build()));
        spec.putNonEmpty("loadBalancerClass", resource.string("serviceLoadBalancerClass"));
        return listener.with(Json.Obj.builder()
                .put("apiVersion", Services.KIND.apiVersion())
                .put("kind", Services.KIND.kind())
                .put("metadata", metadata(listener, Json.Obj.EMPTY))
                .put("spec", spec.build())
                .build());
    }

    private static Resource slice(Resource listener, int port) {
        var endpoint = Json.Obj.of(
                "addresses", Json.Arr.of(Json.of("127.0.0.1")), "conditions", Json.Obj.of("ready", Json.Bool.TRUE));
        var number =
                Json.Obj.of("name", Json.of(portName(listener)), "port", Json.of(port), "protocol", Json.of("TCP"));
        var labels = Json.Obj.of("kubernetes.io/service-name", Json.of(generatedName(listener)));
        return listener.with(Json.Obj.builder()
                .put("apiVersion", EndpointSlices.KIND.apiVersion())
                .put("kind", EndpointSlices.KIND.kind())
                .put("metadata", metadata(listener, labels))
                .put("addressType", "IPv4")
                .put("endpoints", Json.Arr.of(endpoint))
                .put("ports", Json.Arr.of(number))
                .build());
    }

    private static Json.Obj status(Resource listener, Instant now, boolean isReady, String message) {
        var name = generatedName(listener);
        var conditions = new ArrayList<Json>();
        if (isReady) {
            conditions.add(condition(
                    listener, now, "Available", true, "MinimumReplicasAvailable", "The server itself listens."));
            conditions.add(condition(
                    listener, now, "Deployment", true, "", "The server itself listens; there is no Deployment."));
            conditions.add(condition(
                    listener, now, "Progressing", true, "NewReplicaSetAvailable", "The server itself listens."));
        }
        conditions.add(condition(listener, now, "Ready", isReady, isReady ? "" : "CertificateMissing", message));
        conditions.add(
                condition(listener, now, "Service", isReady, "", isReady ? "Service exists" : "There is no Service"));
        var status = Json.Obj.builder()
                .put("configuration", Json.Obj.of("generatedName", Json.of(name)))
                .put("conditions", new Json.Arr(conditions));
        if (isReady) {
            var url = (isSecure(listener) ? "https://" : "http://") + name + "." + listener.namespace()
                    + ".svc.cluster.local:" + servicePort(listener);
            status.put("address", Json.Obj.of("url", Json.of(url)));
        }
        return status.build();
    }

    private static Json.Obj condition(
            Resource listener, Instant now, String type, boolean isTrue, String reason, String message) {
        var value = isTrue ? "True" : "False";
        var since = Timestamps.ofCondition(listener.status(), type, value, now);
        return Json.Obj.builder()
                .put("lastTransitionTime", since)
                .put("message", message)
                .putNonEmpty("reason", reason)
                .put("status", value)
                .put("type", type)
                .build();
    }
}
