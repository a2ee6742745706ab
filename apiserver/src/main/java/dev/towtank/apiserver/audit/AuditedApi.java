package dev.towtank.apiserver.audit;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.audit.AuditEvent.Exchange;
import dev.towtank.apiserver.audit.AuditEvent.Outcome;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Notes down what callers inside the process do. A call that carries notes is somebody else's to write down.
///
/// What they only read is left out, unless it is refused them: our own controllers read all day.
public final class AuditedApi implements Api {

    private final Api api;
    private final AuditSink audit;
    private final InstantSource clock;

    public AuditedApi(Api api, AuditSink audit, InstantSource clock) {
        this.api = api;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Answer handle(Call call) {
        return call.notes().isKept() || !audit.isOn() ? api.handle(call) : recorded(call.withNotes(Notes.empty()));
    }

    @Override
    public Optional<Answer> quickly(Call call) {
        return call.notes().isKept() || !audit.isOn() ? api.quickly(call) : Optional.empty();
    }

    /// Each is written down as if it had come alone.
    @Override
    public Optional<List<Answer>> together(List<Call> creations) {
        if (!audit.isOn()) {
            return api.together(creations);
        }
        var received = clock.instant();
        var calls = creations.stream()
                .map(call -> call.notes().isKept() ? call : call.withNotes(Notes.empty()))
                .toList();
        var answers = api.together(calls);
        for (int i = 0; i < answers.map(List::size).orElse(0); i++) {
            if (!creations.get(i).notes().isKept()) {
                var answer = answers.get().get(i);
                record(calls.get(i), calls.get(i).target(), code(answer), null, answer, received);
            }
        }
        return answers;
    }

    @Override
    public void checkAwake(LogicalCluster cluster) {
        api.checkAwake(cluster);
    }

    private Answer recorded(Call call) {
        var received = clock.instant();
        try {
            var answer = api.handle(call);
            if (!call.verb().isReadOnly()) {
                record(call, call.target(), code(answer), null, answer, received);
            }
            return answer;
        } catch (StatusError e) {
            if (!call.verb().isReadOnly() || e.is(StatusError.Reason.FORBIDDEN)) {
                record(call, call.target(), e.code(), e, null, received);
            }
            throw e;
        }
    }

    private void record(
            Call call,
            Target target,
            int code,
            @Nullable StatusError error,
            @Nullable Answer answer,
            Instant received) {
        var exchange = audit.level() == AuditSink.Level.REQUEST && !AuditEvent.isSensitive(target)
                ? new Exchange(call.body(), content(answer))
                : Exchange.NOTHING;
        audit.record(new AuditEvent(
                id(),
                AuditEvent.Origin.INSIDE,
                AuditEvent.Who.of(call.user()),
                call.cluster(),
                call.verb().toString(),
                named(call.verb(), target, answer),
                new Outcome(code, error),
                call.notes(),
                exchange,
                received,
                clock.instant()));
    }

    /// A name for a request. It is there to be found, not to be unguessable: the fast generator will do.
    public static String id() {
        var random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /// The target with the name that a creation gave.
    public static Target named(Verb verb, Target target, @Nullable Answer answer) {
        if (verb != Verb.CREATE || !target.name().isEmpty() || !(answer instanceof Answer.One one)) {
            return target;
        }
        var name = one.object().tree().string("metadata", "name");
        return new Target(
                target.group(), target.version(), target.resource(), target.namespace(), name, target.subresource());
    }

    /// The one object that an answer is; lists are not written down.
    public static @Nullable Content content(@Nullable Answer answer) {
        return answer instanceof Answer.One one ? one.object() : null;
    }

    private static int code(Answer answer) {
        return answer instanceof Answer.One one ? one.code() : 200;
    }
}
