package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request on its way past the rules: what they advise its client, and how long they may take in all.
///
/// A rule is asked several times, with a new review each time; this is what stays.
public final class Passage {

    private static final ScopedValue<Passage> CURRENT = ScopedValue.newInstance();

    private static final Duration LONGEST = Duration.ofSeconds(34);

    // Guarded by this, as is the end: a request about many objects has several threads.
    private final Set<String> warnings = new LinkedHashSet<>();
    private @Nullable Instant end;

    private Passage() {}

    /// Runs a request, and adds what rules had to say to its answer.
    public static Answer of(Supplier<Answer> request) {
        return perhaps(() -> Optional.of(request.get())).orElseThrow();
    }

    /// Likewise for a request that may turn out to be another's to answer.
    public static Optional<Answer> perhaps(Supplier<Optional<Answer>> request) {
        var passage = new Passage();
        return ScopedValue.where(CURRENT, passage).call(request::get).map(passage::advised);
    }

    /// Work of the request under way that another thread does.
    public static Runnable carried(Runnable work) {
        var passage = current();
        return () -> ScopedValue.where(CURRENT, passage).run(work);
    }

    /// The one under way; a rule that is asked outside of a request gets one for itself.
    public static Passage current() {
        return CURRENT.isBound() ? CURRENT.get() : new Passage();
    }

    /// Said once, however often the request is decided again.
    public synchronized void warn(String advice) {
        warnings.add(advice);
    }

    /// What is left of the time for asking others, counted from the first question.
    public synchronized Duration remaining(InstantSource clock) {
        var now = clock.instant();
        var until = end == null ? now.plus(LONGEST) : end;
        end = until;
        return Duration.between(now, until);
    }

    private synchronized Answer advised(Answer answer) {
        if (warnings.isEmpty()) {
            return answer;
        }
        return switch (answer) {
            case Answer.One(var code, var kind, var object, var known) ->
                new Answer.One(code, kind, object, with(known));
            case Answer.Many(var kind, var revision, var items, var token, var remaining, var known) ->
                new Answer.Many(kind, revision, items, token, remaining, with(known));
            case Answer.Connected(var pod, var known) -> new Answer.Connected(pod, with(known));
            case Answer.Proxied(var pod, var port, var known) -> new Answer.Proxied(pod, port, with(known));
            case Answer.Watching(var kind, var stream, var known) -> new Answer.Watching(kind, stream, with(known));
        };
    }

    private List<String> with(List<String> known) {
        var all = new ArrayList<>(known);
        all.addAll(warnings);
        return all;
    }
}
