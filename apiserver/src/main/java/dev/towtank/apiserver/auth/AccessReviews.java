package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Answers the questions "may I?", "may they?" and "what may I?". Nothing is stored.
public final class AccessReviews {

    private static final String GROUP = "authorization.k8s.io";
    private static final String EXACTLY_ONE =
            "exactly one of nonResourceAttributes or resourceAttributes must be specified";

    /// Who may ask for the rules of a user; the authorizer itself in practice.
    @FunctionalInterface
    public interface RuleSource {
        List<PolicyRule> rules(User user, LogicalCluster cluster, String namespace);
    }

    private final Authorizer authorizer;
    private final RuleSource rules;

    public AccessReviews(Authorizer authorizer, RuleSource rules) {
        this.authorizer = authorizer;
        this.rules = rules;
    }

    public Json.Obj selfSubjectAccessReview(User caller, LogicalCluster cluster, Json.Obj review) {
        var errors = new FieldError.Collector();
        checkAttributes(review, errors);
        checkMetadata(review, "must be empty", errors);
        refuse(errors);
        return decided("SelfSubjectAccessReview", caller, cluster, review);
    }

    public Json.Obj subjectAccessReview(LogicalCluster cluster, Json.Obj review) {
        var errors = new FieldError.Collector();
        checkAttributes(review, errors);
        checkSubject(review, errors);
        checkMetadata(review, "must be empty", errors);
        refuse(errors);
        return decided("SubjectAccessReview", subject(review), cluster, review);
    }

    /// @param namespace of the request's path
    public Json.Obj localSubjectAccessReview(LogicalCluster cluster, String namespace, Json.Obj review) {
        var errors = new FieldError.Collector();
        checkAttributes(review, errors);
        checkSubject(review, errors);
        checkMetadata(
                review.with("metadata", review.object("metadata").without("namespace")),
                "must be empty except for namespace",
                errors);
        var own = review.string("metadata", "namespace");
        var asked = review.string("spec", "resourceAttributes", "namespace");
        if (review.object("spec").has("resourceAttributes") && !asked.equals(own)) {
            errors.invalid(new Path("spec.resourceAttributes.namespace"), asked, "must match metadata.namespace");
        }
        if (review.at("spec", "nonResourceAttributes") instanceof Json.Obj attributes) {
            errors.invalid(new Path("spec.nonResourceAttributes"), attributes, "disallowed on this kind of request");
        }
        refuse(errors);
        if (!namespace.equals(own)) {
            throw StatusError.badRequest("spec.resourceAttributes.namespace must match namespace: " + namespace);
        }
        return decided("LocalSubjectAccessReview", subject(review), cluster, review);
    }

    public Json.Obj selfSubjectRulesReview(User caller, LogicalCluster cluster, Json.Obj review) {
        var namespace = review.string("spec", "namespace");
        if (namespace.isEmpty()) {
            throw StatusError.badRequest("no namespace on request");
        }
        var all = rules.rules(caller, cluster, namespace);
        var onResources = all.stream()
                .filter(rule -> !rule.resources().isEmpty())
                .<Json>map(PolicyRule::json)
                .toList();
        var onPaths = all.stream()
                .filter(rule -> !rule.urls().isEmpty())
                .<Json>map(rule -> Json.Obj.of(
                        "verbs", Json.Arr.ofStrings(rule.verbs()), "nonResourceURLs", Json.Arr.ofStrings(rule.urls())))
                .toList();
        var status = Json.Obj.of(
                "resourceRules", new Json.Arr(onResources),
                "nonResourceRules", new Json.Arr(onPaths),
                "incomplete", Json.of(false));
        return answer("SelfSubjectRulesReview", review.with("spec", Json.Obj.EMPTY), status);
    }

    private Json.Obj decided(String kind, User user, LogicalCluster cluster, Json.Obj review) {
        var decision = authorizer.decide(attempt(user, cluster, review.object("spec")));
        var status = Json.Obj.builder()
                .put("allowed", decision.allowed())
                .putNonEmpty("reason", decision.reason())
                .build();
        return answer(kind, review, status);
    }

    private static Authorizer.Attempt attempt(User user, LogicalCluster cluster, Json.Obj spec) {
        if (spec.get("resourceAttributes") instanceof Json.Obj on) {
            var target = new Target(
                    on.string("group"),
                    on.string("version"),
                    on.string("resource"),
                    on.string("namespace"),
                    on.string("name"),
                    on.string("subresource"));
            return new Authorizer.OnResource(user, cluster, on.string("verb"), target);
        }
        var on = spec.object("nonResourceAttributes");
        return new Authorizer.OnPath(user, cluster, on.string("verb"), on.string("path"));
    }

    private static User subject(Json.Obj review) {
        var spec = review.object("spec");
        Map<String, List<String>> extra = new HashMap<>();
        spec.object("extra")
                .forEach((key, value) -> extra.put(key, value instanceof Json.Arr all ? all.strings() : List.of()));
        return new User(
                spec.string("user"),
                spec.string("uid"),
                Set.copyOf(spec.array("groups").strings()),
                extra);
    }

    private static Json.Obj answer(String kind, Json.Obj review, Json.Obj status) {
        return Json.Obj.builder()
                .put("kind", kind)
                .put("apiVersion", GROUP + "/v1")
                .put("metadata", review.object("metadata"))
                .put("spec", review.object("spec"))
                .put("status", status)
                .build();
    }

    private static void checkAttributes(Json.Obj review, FieldError.Collector errors) {
        var spec = review.object("spec");
        var onPath = spec.get("nonResourceAttributes") instanceof Json.Obj found ? found : Json.Null.NULL;
        if ((onPath instanceof Json.Obj) == (spec.get("resourceAttributes") instanceof Json.Obj)) {
            errors.invalid(Path.of("spec", "resourceAttributes"), onPath, EXACTLY_ONE);
        }
    }

    private static void checkSubject(Json.Obj review, FieldError.Collector errors) {
        var spec = review.object("spec");
        if (spec.string("user").isEmpty() && spec.array("groups").size() == 0) {
            errors.invalid(Path.of("spec", "user"), "", "at least one of user or group must be specified");
        }
    }

    private static void checkMetadata(Json.Obj review, String detail, FieldError.Collector errors) {
        var metadata = review.object("metadata").without("managedFields");
        for (var field : metadata) {
            if (!field.getValue().isEmpty()) {
                errors.invalid(Path.of("metadata"), metadata, detail);
                return;
            }
        }
    }

    // Here Kubernetes leaves out which kind it is.
    private static void refuse(FieldError.Collector errors) {
        if (!errors.isEmpty()) {
            throw StatusError.invalid(GROUP, "", "", errors.errors());
        }
    }
}
