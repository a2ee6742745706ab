package dev.towtank.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Timers;
import dev.towtank.model.Json;
import java.io.IOException;
import java.util.function.Function;

/// What the world outside says in a scenario or a story:
///
/// ```yaml
/// outside:
///   darkness:                                # who is asked, then what they say
///   - {ask: nightville, answer: true}
///   - {ask: daytown, fails: there are clouds}
///   - {ask: elsewhere}                       # nobody knows yet
/// ```
///
/// To ask for more than that is a mistake of the test.
public record Answers(Json.Obj told) {

    public static final Answers NONE = new Answers(Json.Obj.EMPTY);

    public Answers {
        for (var who : told.keys()) {
            for (var line : told.objects(who)) {
                assertThat(line.keys()).as("what " + who + " is told to say").isSubsetOf("ask", "answer", "fails");
                assertThat(line.has("answer") && line.has("fails"))
                        .as("both an answer and a failure: " + line)
                        .isFalse();
            }
        }
    }

    /// @param write how a question looks in a file
    /// @param read what an answer in a file means
    public <Q, A> Outside<Q, A> outside(String who, Timers timers, Function<Q, Json> write, Function<Json, A> read) {
        return new Outside<>(
                who,
                question -> read.apply(ask(who, write.apply(question))),
                Outside.Limits.USUAL,
                timers,
                Runnable::run);
    }

    /// @throws IOException where it fails
    /// @throws InterruptedException where nobody knows yet
    public Json ask(String who, Json question) throws IOException, InterruptedException {
        var line = told.objects(who).stream()
                .filter(each -> question.equals(each.get("ask")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("outside does not say what " + who + " answers to " + question));
        if (line.has("fails")) {
            throw new IOException(line.string("fails"));
        }
        var answer = line.get("answer");
        if (answer == null) {
            throw new InterruptedException();
        }
        return answer;
    }
}
