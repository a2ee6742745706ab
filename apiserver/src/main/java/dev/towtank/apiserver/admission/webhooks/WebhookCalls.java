package dev.towtank.apiserver.admission.webhooks;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.admission.extension.Activations;
import dev.towtank.apiserver.admission.extension.Form;
import dev.towtank.apiserver.admission.extension.MatchConditions.Verdict;
import dev.towtank.apiserver.admission.extension.ServedSurroundings;
import dev.towtank.apiserver.admission.extension.Subject;
import dev.towtank.apiserver.admission.extension.Surroundings;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.webhook.WebhookClient;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds out whether a webhook is to be asked about a request, and asks it. Shared by mutating and validating ones.
public final class WebhookCalls {

    private final Surroundings around;
    private final Activations activations;
    private final WebhookClient client;
    private final InstantSource clock;
    private final Supplier<String> uids;

    /// @param uids makes up an identity for each question
    public WebhookCalls(
            Store store,
            Catalog catalog,
            Authorizer authorizer,
            WebhookClient client,
            InstantSource clock,
            Supplier<String> uids) {
        this.around = new ServedSurroundings(store, catalog);
        this.activations = new Activations(around, authorizer);
        this.client = client;
        this.clock = clock;
        this.uids = uids;
    }

    Surroundings around() {
        return around;
    }

    InstantSource clock() {
        return clock;
    }

    /// The form in which the webhook wants to see the request, or nothing where it is not asked.
    ///
    /// @throws StatusError when that cannot be told and the webhook does not fail open
    Optional<Form> match(Webhook hook, Subject subject) {
        var form = hook.criteria().match(subject, around);
        if (form.isEmpty() || hook.conditions().isEmpty()) {
            return form;
        }
        return switch (hook.conditions().of(activations.of(subject, form.get(), null, null))) {
            case Verdict.Met _ -> form;
            case Verdict.NotMet _ -> Optional.empty();
            case Verdict.Unknown(var why) -> {
                if (hook.failsOpen()) {
                    yield Optional.empty();
                }
                throw subject.forbidden(why);
            }
        };
    }

    /// A webhook could not be asked, or its answer is no answer.
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        Failure(Webhook hook, String why) {
            super("failed calling webhook \"" + hook.name() + "\": " + why, null, false, false);
        }

        StatusError refusal() {
            return StatusError.internal(String.valueOf(getMessage()));
        }
    }

    /// @param remaining what is left of the time for the whole request
    Reply ask(Webhook hook, Subject subject, Form form, boolean mutating, Duration remaining) throws Failure {
        if (subject.dryRun() && !hook.harmless()) {
            throw StatusError.badRequest("admission webhook \"" + hook.name() + "\" does not support dry run");
        }
        if (hook.reviewVersion().isEmpty()) {
            throw new Failure(
                    hook,
                    "could not create admission objects: webhook does not accept known AdmissionReview versions (v1,"
                            + " v1beta1)");
        }
        if (!remaining.isPositive()) {
            throw outOfTime();
        }
        var uid = uids.get();
        var timeout = hook.timeout().compareTo(remaining) < 0 ? hook.timeout() : remaining;
        Json.Obj answer;
        try {
            answer = client.post(subject.cluster(), hook.clientConfig(), review(hook, subject, form, uid), timeout);
        } catch (WebhookClient.Failed e) {
            throw new Failure(hook, "failed to call webhook: " + e.text());
        }
        try {
            return Reply.read(answer, hook.reviewVersion(), uid, mutating);
        } catch (Reply.Invalid e) {
            throw new Failure(hook, "received invalid webhook response: " + e.text());
        }
    }

    static StatusError outOfTime() {
        return new StatusError(
                StatusError.Reason.TIMEOUT, "Timeout: request did not complete within requested timeout");
    }

    private Json.Obj review(Webhook hook, Subject subject, Form form, String uid) {
        var request = Json.Obj.builder().put("uid", uid);
        subject.request(form).forEach(request::put);
        request.put("object", shown(subject, subject.object(), form))
                .put("oldObject", shown(subject, subject.old(), form));
        return Json.Obj.builder()
                .put("kind", "AdmissionReview")
                .put("apiVersion", "admission.k8s.io/" + hook.reviewVersion())
                .put("request", request.build())
                .build();
    }

    private Json shown(Subject subject, Json.@Nullable Obj object, Form form) {
        return object == null ? Json.Null.NULL : around.convert(subject, object, form);
    }
}
