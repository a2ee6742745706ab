package dev.towtank.apiserver.admission.extension;

import dev.towtank.apiserver.admission.Review;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which requests a webhook or a policy is about.
///
/// @param equivalent whether a rule for one version of a resource is meant for all of them
/// @param everything whether all resources are meant where no rule names one
public record Criteria(
        LabelSelector namespaces,
        LabelSelector objects,
        List<MatchRule> rules,
        List<MatchRule> excluded,
        boolean equivalent,
        boolean everything) {

    /// Of a webhook.
    public static Criteria ofWebhook(Json.Obj hook) {
        return read(hook, "rules", false);
    }

    /// Of `matchConstraints` or `matchResources`; all requests where there are none.
    public static Criteria ofPolicy(Json.Obj match) {
        return read(match, "resourceRules", true);
    }

    private static Criteria read(Json.Obj match, String rules, boolean everything) {
        return new Criteria(
                LabelSelector.of(match.object("namespaceSelector")),
                LabelSelector.of(match.object("objectSelector")),
                match.objects(rules).stream().map(MatchRule::read).toList(),
                match.objects("excludeResourceRules").stream()
                        .map(MatchRule::read)
                        .toList(),
                match.string("matchPolicy").equals("Equivalent"),
                everything);
    }

    /// The form in which the request is meant, or nothing where it is not.
    ///
    /// @throws StatusError when it would be meant, but its namespace is gone
    public Optional<Form> match(Subject subject, Surroundings around) {
        // Rules first: they cost least and spare most.
        if (!matchesObject(subject) || matching(excluded, subject, around).isPresent()) {
            return Optional.empty();
        }
        var form = everything && rules.isEmpty() ? Optional.of(subject.form()) : matching(rules, subject, around);
        return form.isPresent() && matchesNamespace(subject, around) ? form : Optional.empty();
    }

    private Optional<Form> matching(List<MatchRule> rules, Subject subject, Surroundings around) {
        boolean perhaps = false;
        for (var rule : rules) {
            if (rule.matches(subject, subject.form())) {
                return Optional.of(subject.form());
            }
            perhaps |= rule.matchesAnyVersion(subject);
        }
        if (!equivalent || !perhaps) {
            return Optional.empty();
        }
        var others = around.equivalents(subject);
        for (var rule : rules) {
            for (var other : others) {
                if (rule.matches(subject, other)) {
                    return Optional.of(other);
                }
            }
        }
        return Optional.empty();
    }

    private boolean matchesObject(Subject subject) {
        return objects.matchesEverything() || matches(subject.object()) || matches(subject.old());
    }

    private boolean matches(Json.@Nullable Obj object) {
        return object != null && objects.matches(object);
    }

    // Only what has a namespace, or is one, can be exempted by its namespace.
    private boolean matchesNamespace(Subject subject, Surroundings around) {
        if (namespaces.matchesEverything() || (subject.namespace().isEmpty() && !subject.isNamespace())) {
            return true;
        }
        var object = subject.object();
        boolean written =
                subject.operation() == Review.Operation.CREATE || subject.operation() == Review.Operation.UPDATE;
        if (subject.isNamespace() && subject.subresource().isEmpty() && written && object != null) {
            return namespaces.matches(object);
        }
        var namespace = around.namespace(subject.cluster(), subject.namespace())
                .orElseThrow(() -> StatusError.notFound(new GroupResource("", "namespaces"), subject.namespace()));
        return namespaces.matches(namespace);
    }
}
