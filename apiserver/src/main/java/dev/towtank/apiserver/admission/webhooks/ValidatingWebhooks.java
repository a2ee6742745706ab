package dev.towtank.apiserver.admission.webhooks;

import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Annotations;
import dev.towtank.apiserver.admission.Passage;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.admission.extension.Form;
import dev.towtank.apiserver.admission.extension.Prepared;
import dev.towtank.apiserver.admission.extension.Subject;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.admissionregistration.ValidatingWebhookConfigurations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Asks webhooks, all at once, whether they agree with what shall be done.
public final class ValidatingWebhooks implements Admission {

    private static final System.Logger LOG = System.getLogger(ValidatingWebhooks.class.getName());

    private final Prepared<List<Webhook>> configurations;
    private final WebhookCalls calls;
    private final Annotations annotations;

    public ValidatingWebhooks(Store store, WebhookCalls calls, Annotations annotations) {
        this.configurations = new Prepared<>(store, ValidatingWebhookConfigurations.KIND.resource(), Webhook::read);
        this.calls = calls;
        this.annotations = annotations;
    }

    /// A webhook that is to be asked.
    private record Question(Webhook hook, Form form) {}

    /// What came of it: a reply, a refusal of our own, or neither where the webhook failed open.
    private record Outcome(@Nullable Reply reply, @Nullable StatusError refusal) {}

    @Override
    public boolean mayWait(LogicalCluster cluster) {
        return !configurations.of(cluster).isEmpty();
    }

    @Override
    public void check(Review review) {
        var present = configurations.of(review.cluster());
        if (present.isEmpty() || !Subject.isAskedAbout(review)) {
            return;
        }
        var subject = Subject.of(review);
        var questions = new ArrayList<Question>();
        for (var configuration : present) {
            for (var hook : configuration) {
                calls.match(hook, subject).ifPresent(form -> questions.add(new Question(hook, form)));
            }
        }
        if (!questions.isEmpty()) {
            decide(review, questions, ask(subject, questions));
        }
    }

    private List<Outcome> ask(Subject subject, List<Question> questions) {
        var remaining = Passage.current().remaining(calls.clock());
        if (questions.size() == 1) {
            return List.of(ask(subject, questions.getFirst(), remaining));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = questions.stream()
                    .<Callable<Outcome>>map(question -> () -> ask(subject, question, remaining))
                    .toList();
            var outcomes = new ArrayList<Outcome>();
            for (var done : threads.invokeAll(tasks)) {
                outcomes.add(done.get());
            }
            return outcomes;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw WebhookCalls.outOfTime();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a webhook could not be asked", e);
        }
    }

    private Outcome ask(Subject subject, Question question, Duration remaining) {
        var hook = question.hook;
        try {
            return new Outcome(calls.ask(hook, subject, question.form, false, remaining), null);
        } catch (StatusError e) {
            return new Outcome(null, e);
        } catch (WebhookCalls.Failure e) {
            if (!hook.failsOpen()) {
                return new Outcome(null, e.refusal());
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "webhook {0} of {1} could not be asked; the request goes on without it",
                    hook.name(),
                    hook.configuration());
            return new Outcome(null, null);
        }
    }

    // All are heard before the first refusal counts: what they advise and note is not lost.
    private void decide(Review review, List<Question> questions, List<Outcome> outcomes) {
        var passage = Passage.current();
        StatusError first = null;
        for (int i = 0; i < outcomes.size(); i++) {
            var hook = questions.get(i).hook;
            var reply = outcomes.get(i).reply;
            var refusal = outcomes.get(i).refusal;
            if (reply != null) {
                reply.annotations().forEach((key, value) -> annotations.add(review, hook.name() + "/" + key, value));
                reply.warnings().forEach(passage::warn);
                refusal = reply.allowed() ? null : reply.refusal(hook.name());
            } else if (refusal == null) {
                annotations.add(
                        review, "failed-open.validating.webhook.admission.k8s.io/round_0_index_" + i, hook.name());
            }
            first = first == null ? refusal : first;
        }
        if (first != null) {
            throw first;
        }
    }
}
