package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicies;
import dev.towtank.model.kinds.admissionregistration.ValidatingAdmissionPolicyBindings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Nobody makes a policy read for them what they may not read themselves.
public final class PolicyAuthorization implements Admission {

    private final Store store;
    private final Parameters parameters;
    private final Authorizer authorizer;

    public PolicyAuthorization(Store store, Catalog catalog, Authorizer authorizer) {
        this.store = store;
        this.parameters = new Parameters(store, catalog);
        this.authorizer = authorizer;
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null
                || !review.subresource().isEmpty()
                || review.call().user().groups().contains(User.MASTERS)) {
            return;
        }
        if (review.isKind(ValidatingAdmissionPolicies.KIND)) {
            policy(review, object);
        } else if (review.isKind(ValidatingAdmissionPolicyBindings.KIND)) {
            binding(review, object);
        }
    }

    private void policy(Review review, Json.Obj policy) {
        if (!(policy.at("spec", "paramKind") instanceof Json.Obj json) || isKept(review.old(), json, "paramKind")) {
            return;
        }
        var kind = Policy.ParamKind.read(json);
        if (!may(review, "get", Optional.of(kind), "*", "*")) {
            throw forbidden(
                    review,
                    "paramKind",
                    "user " + review.call().user().name()
                            + " must have \"get\" permission on all objects of the referenced paramKind (kind="
                            + kind.kind()
                            + ", apiVersion=" + kind.apiVersion() + ")");
        }
    }

    private void binding(Review review, Json.Obj binding) {
        var old = review.old();
        var name = binding.string("spec", "policyName");
        if (!(binding.at("spec", "paramRef") instanceof Json.Obj reference)
                || (isKept(old, reference, "paramRef")
                        && old != null
                        && old.string("spec", "policyName").equals(name))) {
            return;
        }
        var policy = store.get(new Key(ValidatingAdmissionPolicies.KIND.resource(), review.cluster(), "", name));
        var kind = policy != null && policy.tree().at("spec", "paramKind") instanceof Json.Obj json
                ? Optional.of(Policy.ParamKind.read(json))
                : Optional.<Policy.ParamKind>empty();
        var verb = reference.string("name").isEmpty() ? "list" : "get";
        if (!may(review, verb, kind, reference.string("namespace"), reference.string("name"))) {
            var user = "user " + review.call().user().name();
            throw forbidden(
                    review,
                    "paramRef",
                    policy == null
                            ? "unable to get policy " + name + " to determine minimum required permissions and " + user
                                    + " does not have \"" + verb
                                    + "\" permission for all groups, versions and resources"
                            : user + " does not have \"" + verb + "\" permission on the object referenced by paramRef");
        }
    }

    private static boolean isKept(Json.@Nullable Obj old, Json now, String field) {
        return old != null && Field.same(old.at("spec", field), now);
    }

    // Where the kind is not known, only who may read everything may read it.
    private boolean may(Review review, String verb, Optional<Policy.ParamKind> kind, String namespace, String name) {
        var served = kind.flatMap(known -> parameters.find(review.cluster(), known));
        var target = new Target(
                kind.map(Policy.ParamKind::group).orElse("*"),
                kind.map(Policy.ParamKind::version).orElse("*"),
                served.map(found -> found.kind().plural()).orElse("*"),
                namespace,
                name,
                "");
        return authorizer
                .decide(new Authorizer.OnResource(review.call().user(), review.cluster(), verb, target))
                .allowed();
    }

    private static StatusError forbidden(Review review, String field, String why) {
        var errors = new FieldError.Collector();
        errors.forbidden(Path.of("spec", field), why);
        return StatusError.invalid(review.kind(), review.name(), errors.errors());
    }
}
