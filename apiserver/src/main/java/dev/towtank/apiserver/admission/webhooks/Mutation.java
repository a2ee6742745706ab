package dev.towtank.apiserver.admission.webhooks;

import dev.towtank.apiserver.admission.Annotations;
import dev.towtank.apiserver.admission.Passage;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.admission.extension.Form;
import dev.towtank.apiserver.admission.extension.Subject;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Pruning;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.JsonPatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One object on its way past the mutating webhooks.
final class Mutation {

    private static final System.Logger LOG = System.getLogger(Mutation.class.getName());

    private static final String PREFIX = "mutation.webhook.admission.k8s.io/";

    /// In bytes, as for the body of a request.
    private static final int LARGEST = 3 * 1024 * 1024;

    /// What a patch cannot change: the server alone sets it.
    private static final List<String> SYSTEM_FIELDS = List.of(
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "selfLink",
            "managedFields");

    private final WebhookCalls calls;
    private final Annotations annotations;
    private final List<Webhook> hooks;
    private final Review review;
    private final Passage passage = Passage.current();

    /// By their place among the webhooks: asked before, without a change since that they do not know.
    private final Set<Integer> upToDate = new HashSet<>();

    private final Set<Integer> outdated = new HashSet<>();
    private boolean changed;

    Mutation(WebhookCalls calls, Annotations annotations, List<Webhook> hooks, Review review) {
        this.calls = calls;
        this.annotations = annotations;
        this.hooks = hooks;
        this.review = review;
    }

    boolean hasChanged() {
        return changed;
    }

    Json.Obj first(Json.Obj object) {
        return round(0, object);
    }

    /// Asks those again that want it and do not know the newest state. Nobody is asked for the first time.
    Json.Obj second(Json.Obj object, boolean changedSince) {
        if (changedSince) {
            outdate();
        }
        return round(1, object);
    }

    private Json.Obj round(int round, Json.Obj object) {
        var current = object;
        for (int i = 0; i < hooks.size(); i++) {
            if (round > 0 && !outdated.contains(i)) {
                continue;
            }
            var hook = hooks.get(i);
            var subject = Subject.of(review, current);
            var form = calls.match(hook, subject);
            if (form.isEmpty()) {
                continue;
            }
            var reply = ask(hook, subject, form.get(), round, i);
            if (reply != null) {
                var patched = reply.patch().size() == 0
                        ? current
                        : patched(hook, subject, form.get(), reply.patch(), current);
                boolean mutated = !patched.equals(current);
                note(hook, round, i, mutated);
                current = patched;
                if (mutated) {
                    changed = true;
                    outdate();
                }
            }
            if (hook.reinvoked()) {
                upToDate.add(i);
            }
        }
        return current;
    }

    private void outdate() {
        outdated.addAll(upToDate);
        upToDate.clear();
    }

    /// For operations that have no object to change.
    void askOnly() {
        var subject = Subject.of(review);
        for (int i = 0; i < hooks.size(); i++) {
            var hook = hooks.get(i);
            var form = calls.match(hook, subject);
            if (form.isPresent()) {
                var reply = ask(hook, subject, form.get(), 0, i);
                if (reply != null && reply.patch().size() > 0) {
                    throw StatusError.internal("admission webhook \"" + hook.name()
                            + "\" attempted to modify the object, which is not supported for this operation");
                }
            }
        }
    }

    /// What the webhook allows, or null where it cannot be asked and that does not matter.
    private @Nullable Reply ask(Webhook hook, Subject subject, Form form, int round, int place) {
        Reply reply;
        try {
            reply = calls.ask(hook, subject, form, true, passage.remaining(calls.clock()));
        } catch (WebhookCalls.Failure e) {
            if (!hook.failsOpen()) {
                throw e.refusal();
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "webhook {0} of {1} could not be asked; the request goes on without it",
                    hook.name(),
                    hook.configuration());
            annotations.add(review, "failed-open." + PREFIX + key(round, place), hook.name());
            if (!passage.remaining(calls.clock()).isPositive()) {
                throw WebhookCalls.outOfTime();
            }
            return null;
        }
        reply.annotations().forEach((key, value) -> annotations.add(review, hook.name() + "/" + key, value));
        reply.warnings().forEach(passage::warn);
        if (!reply.allowed()) {
            throw reply.refusal(hook.name());
        }
        return reply;
    }

    private void note(Webhook hook, int round, int place, boolean mutated) {
        var value = Json.Obj.of(
                "configuration", Json.of(hook.configuration()),
                "webhook", Json.of(hook.name()),
                "mutated", Json.of(mutated));
        annotations.add(review, PREFIX + key(round, place), value.toString());
    }

    private static String key(int round, int place) {
        return "round_" + round + "_index_" + place;
    }

    private Json.Obj patched(Webhook hook, Subject subject, Form form, Json.Arr patch, Json.Obj current) {
        var shown = subject.object();
        if (shown == null) {
            return current;
        }
        var around = calls.around();
        var result = apply(around.convert(subject, shown, form), patch);
        refuseHuge(hook, result);
        var back = around.convertBack(subject, result, form);
        var scale = review.kind().scale();
        if (review.subresource().equals("scale") && scale.isPresent()) {
            return scale.get().applied(back, current);
        }
        var identified = withSystemFields(hook, known(back), current);
        return review.kind().completed(identified);
    }

    /// A webhook makes nothing that a client could not have sent.
    private static void refuseHuge(Webhook hook, Json.Obj object) {
        if (JsonText.bytes(object).length > LARGEST) {
            throw StatusError.internal("admission webhook \"" + hook.name()
                    + "\" attempted to make an object of more than " + LARGEST + " bytes");
        }
    }

    private static Json.Obj apply(Json.Obj object, Json.Arr patch) {
        try {
            if (JsonPatch.apply(object, patch) instanceof Json.Obj result) {
                return result;
            }
            throw StatusError.internal("the patch of a webhook leaves no object");
        } catch (StatusError e) {
            // The details say why; the message is for clients whose own patch it is.
            var causes = e.details().objects("causes");
            throw e.is(StatusError.Reason.INTERNAL_ERROR)
                    ? e
                    : StatusError.internal(
                            causes.isEmpty() ? e.text() : causes.getFirst().string("message"));
        }
    }

    private Json.Obj known(Json.Obj object) {
        try {
            return Pruning.known(object, review.kind(), _ -> {});
        } catch (StatusError e) {
            throw StatusError.internal(e.text());
        }
    }

    private static Json.Obj withSystemFields(Webhook hook, Json.Obj object, Json.Obj before) {
        var metadata = object.object("metadata");
        var old = before.object("metadata");
        for (var identity : List.of("name", "namespace")) {
            if (!metadata.string(identity).equals(old.string(identity))) {
                throw StatusError.internal("admission webhook \"" + hook.name() + "\" attempted to change metadata."
                        + identity + ", which is not supported");
            }
        }
        for (var field : SYSTEM_FIELDS) {
            metadata = metadata.withOrWithout(field, old.get(field));
        }
        var restored = object.with("metadata", metadata);
        for (var type : List.of("apiVersion", "kind")) {
            restored = restored.withOrWithout(type, before.get(type));
        }
        return restored;
    }
}
