package dev.towtank.apiserver.admission.webhooks;

import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Annotations;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.admission.extension.Prepared;
import dev.towtank.apiserver.admission.extension.Subject;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.admissionregistration.MutatingWebhookConfigurations;
import java.util.List;

/// Lets webhooks change what is written, one after the other, and the rules of the server and those webhooks that want
/// to look at it again after a change.
public final class MutatingWebhooks implements Admission {

    private final Prepared<List<Webhook>> configurations;
    private final WebhookCalls calls;
    private final List<Admission> rules;
    private final Annotations annotations;

    /// @param rules those of the server that change objects; they come before this one
    public MutatingWebhooks(Store store, WebhookCalls calls, List<Admission> rules, Annotations annotations) {
        this.configurations = new Prepared<>(store, MutatingWebhookConfigurations.KIND.resource(), Webhook::read);
        this.calls = calls;
        this.rules = List.copyOf(rules);
        this.annotations = annotations;
    }

    @Override
    public boolean mayWait(LogicalCluster cluster) {
        return !configurations.of(cluster).isEmpty();
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        var hooks = hooks(review.cluster());
        if (hooks.isEmpty() || !Subject.isAskedAbout(review)) {
            return object;
        }
        var mutation = new Mutation(calls, annotations, hooks, review);
        var changed = mutation.first(object);
        if (!mutation.hasChanged()) {
            return changed;
        }
        var again = changed;
        for (var rule : rules) {
            again = rule.change(review, again);
        }
        return mutation.second(again, !again.equals(changed));
    }

    /// Where there is nothing to change, webhooks are asked all the same, and may refuse.
    @Override
    public void check(Review review) {
        boolean asked = switch (review.operation()) {
            case DELETE, CONNECT -> true;
            case CREATE -> !review.subresource().isEmpty();
            case UPDATE -> false;
        };
        if (!asked) {
            return;
        }
        var hooks = hooks(review.cluster());
        if (!hooks.isEmpty() && Subject.isAskedAbout(review)) {
            new Mutation(calls, annotations, hooks, review).askOnly();
        }
    }

    private List<Webhook> hooks(LogicalCluster cluster) {
        var present = configurations.of(cluster);
        return switch (present.size()) {
            case 0 -> List.of();
            case 1 -> present.getFirst();
            default -> present.stream().flatMap(List::stream).toList();
        };
    }
}
