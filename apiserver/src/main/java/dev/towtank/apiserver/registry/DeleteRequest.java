package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The options of a deletion, from its body or its query.
///
/// @param propagation `Orphan`, `Background` or `Foreground`, or empty where the client leaves it to the kind
record DeleteRequest(
        Optional<Long> grace, Optional<String> uid, Optional<String> resourceVersion, Optional<String> propagation) {

    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    private static final List<String> POLICIES = List.of("Background", "Foreground", "Orphan");

    static DeleteRequest of(Call call) {
        var body = Decoder.options(call);
        var grace = body.at("gracePeriodSeconds") instanceof Json.Int(var seconds)
                ? Optional.of(seconds)
                : call.params().number("gracePeriodSeconds");
        return new DeleteRequest(
                grace.map(value -> value < 0 ? 1L : value),
                text(body, "preconditions", "uid"),
                text(body, "preconditions", "resourceVersion"),
                policy(call, body));
    }

    private static Optional<String> text(Json.Obj body, String... path) {
        return body.at(path) instanceof Json.Str(var value) ? Optional.of(value) : Optional.empty();
    }

    private static Optional<String> policy(Call call, Json.Obj body) {
        var named = text(body, "propagationPolicy")
                .or(() -> Optional.of(call.params().text("propagationPolicy")).filter(value -> !value.isEmpty()));
        var legacy = body.at("orphanDependents") instanceof Json.Bool(var value)
                ? Optional.of(value)
                : call.params().has("orphanDependents")
                        ? Optional.of(call.params().flag("orphanDependents"))
                        : Optional.<Boolean>empty();
        var errors = new FieldError.Collector();
        if (named.isPresent() && legacy.isPresent()) {
            errors.invalid(
                    Path.of("propagationPolicy"),
                    named.get(),
                    "orphanDependents and deletionPropagation cannot be both set");
        }
        if (named.isPresent() && !POLICIES.contains(named.get())) {
            errors.notSupported(Path.of("propagationPolicy"), Json.of(named.get()), POLICIES);
        }
        if (!errors.isEmpty()) {
            throw StatusError.invalid("meta.k8s.io", "DeleteOptions", "", errors.errors());
        }
        return named.or(() -> legacy.map(orphan -> orphan ? "Orphan" : "Background"));
    }

    boolean asksGrace() {
        return grace.isPresent();
    }

    /// The wanted grace period, for kinds that have one at all.
    long graceSeconds(long usual) {
        return usual == 0 ? 0 : grace.orElse(usual);
    }

    boolean waitsForDependents() {
        return propagation.isPresent() && propagation.get().equals("Foreground");
    }

    void checkPreconditions(Kind<?> kind, Json.Obj old) {
        var metadata = old.object("metadata");
        if (uid.isPresent() && !uid.get().equals(metadata.string("uid"))) {
            throw failed(
                    kind,
                    metadata,
                    "the UID in the precondition (" + uid.get()
                            + ") does not match the UID in record (" + metadata.string("uid")
                            + "). The object might have been deleted and then recreated");
        }
        if (resourceVersion.isPresent() && !resourceVersion.get().equals(metadata.string("resourceVersion"))) {
            throw failed(
                    kind,
                    metadata,
                    "the ResourceVersion in the precondition (" + resourceVersion.get()
                            + ") does not match the ResourceVersion in record (" + metadata.string("resourceVersion")
                            + "). The object might have been modified");
        }
    }

    private static StatusError failed(Kind<?> kind, Json.Obj metadata, String why) {
        return StatusError.conflict(kind.resource(), metadata.string("name"), why);
    }

    /// The object's finalizers as this deletion leaves them: garbage collection takes its orders from two of them.
    List<String> finalizers(Kind<?> kind, Json.Obj metadata) {
        var present = metadata.array("finalizers").strings();
        var policy = propagation.orElseGet(() -> present.contains(ORPHAN)
                ? "Orphan"
                : present.contains(FOREGROUND) ? "Foreground" : kind.rules().orphansByDefault() ? "Orphan" : "");
        var finalizers = new ArrayList<>(present);
        finalizers.remove(ORPHAN);
        finalizers.remove(FOREGROUND);
        if (policy.equals("Orphan")) {
            finalizers.add(ORPHAN);
        } else if (policy.equals("Foreground")) {
            finalizers.add(FOREGROUND);
        }
        return finalizers;
    }

    List<String> warnings(Kind<?> kind) {
        return propagation.isEmpty() && kind.rules().orphansByDefault()
                ? List.of("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background"
                        + " to remove them or set propagationPolicy=Orphan to suppress this warning")
                : List.of();
    }
}
