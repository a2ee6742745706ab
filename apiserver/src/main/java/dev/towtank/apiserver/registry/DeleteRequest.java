package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Namespaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The options of a deletion: those of its body, or of its query where it has none.
///
/// @param dryRun what the deletion shall try only; never empty where either of body and query says so
/// @param propagation `Orphan`, `Background` or `Foreground`, or empty where the client leaves it to the kind
/// @param legacyCascade the client asked for that in the old words, `orphanDependents: false`
record DeleteRequest(
        List<String> dryRun,
        Optional<Long> grace,
        Optional<String> uid,
        Optional<String> resourceVersion,
        Optional<String> propagation,
        boolean legacyCascade) {

    DeleteRequest {
        dryRun = List.copyOf(dryRun);
    }

    static final String ORPHAN = "orphan";
    static final String FOREGROUND = "foregroundDeletion";

    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan");
    private static final List<String> NAMED_POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    /// @throws StatusError BadRequest for what are no options, Invalid for options that cannot be
    static DeleteRequest of(Call call) {
        var options = DeleteOptions.in(call).orElseGet(() -> query(call));
        // Kubernetes forgets the query where there is a body. Whoever says dry run in either place means it.
        var dryRun = new ArrayList<>(options.array("dryRun").strings());
        call.params().all("dryRun").stream()
                .filter(value -> !dryRun.contains(value))
                .forEach(dryRun::add);
        var legacy = options.at("orphanDependents") instanceof Json.Bool(var value)
                ? Optional.of(value)
                : Optional.<Boolean>empty();
        var named = text(options, "propagationPolicy");
        check(dryRun, named, legacy.isPresent());
        return new DeleteRequest(
                dryRun,
                options.at("gracePeriodSeconds") instanceof Json.Int(var seconds)
                        ? Optional.of(seconds < 0 ? 1L : seconds)
                        : Optional.empty(),
                text(options, "preconditions", "uid"),
                text(options, "preconditions", "resourceVersion"),
                named.or(() -> legacy.map(orphan -> orphan ? "Orphan" : "Background")),
                legacy.isPresent() && !legacy.get());
    }

    private static Json.Obj query(Call call) {
        var params = call.params();
        var options = Json.Obj.builder();
        params.number("gracePeriodSeconds").ifPresent(seconds -> options.put("gracePeriodSeconds", seconds));
        options.putNonEmpty("propagationPolicy", params.text("propagationPolicy"));
        if (params.has("orphanDependents")) {
            options.put("orphanDependents", Json.of(params.flag("orphanDependents")));
        }
        return options.build();
    }

    private static Optional<String> text(Json.Obj body, String... path) {
        return body.at(path) instanceof Json.Str(var value) ? Optional.of(value) : Optional.empty();
    }

    private static void check(List<String> dryRun, Optional<String> policy, boolean legacy) {
        var errors = new FieldError.Collector();
        if (policy.isPresent() && legacy) {
            errors.invalid(
                    Path.of("propagationPolicy"),
                    policy.get(),
                    "orphanDependents and deletionPropagation cannot be both set");
        }
        if (policy.isPresent() && !POLICIES.contains(policy.get())) {
            errors.notSupported(Path.of("propagationPolicy"), Json.of(policy.get()), NAMED_POLICIES);
        }
        Options.checkDryRun(dryRun, errors);
        if (!errors.isEmpty()) {
            throw StatusError.invalid("meta.k8s.io", "DeleteOptions", "", errors.errors());
        }
    }

    /// The call as these options mean it: every rule on its way asks the call whether it is to be tried only.
    Call applyTo(Call call) {
        return dryRun.isEmpty() ? call : call.withParam("dryRun", dryRun);
    }

    boolean asksGrace() {
        return grace.isPresent();
    }

    /// The wanted grace period, for kinds that have one at all.
    long graceSeconds(long usual) {
        return usual == 0 ? 0 : grace.orElse(usual);
    }

    void checkPreconditions(Kind<?> kind, Json.Obj old) {
        var metadata = old.object("metadata");
        if (uid.isPresent() && !uid.get().equals(metadata.string("uid"))) {
            if (kind.resource().equals(Namespaces.KIND.resource())) {
                throw StatusError.conflict(
                        kind.resource(),
                        metadata.string("name"),
                        "Precondition failed: UID in precondition: " + uid.get() + ", UID in object meta: "
                                + metadata.string("uid"));
            }
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
        // Here Kubernetes names the kind where it elsewhere names the resource.
        return StatusError.conflict(new GroupResource(kind.group(), kind.kind()), metadata.string("name"), why);
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
        return propagation.isEmpty() ? kind.rules().warningsOnDeletion() : List.of();
    }
}
