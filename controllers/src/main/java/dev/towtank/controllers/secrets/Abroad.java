package dev.towtank.controllers.secrets;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.controllers.secrets.reading.Calls;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.reading.WebAnswer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// What no cache holds: answers of web servers, and objects of kinds that only a store knows.
record Abroad(
        Outside<Question, WebAnswer> web, Outside<ObjectQuestion, Optional<Json.Obj>> objects, InstantSource clock) {

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

    /// @param round of one object: what is asked in another round is another question, so every refresh reads anew
    record Question(String round, WebCall call) {}

    /// @param account who reads it
    record ObjectQuestion(WebCall.Account account, Kind<?> kind, ObjectName name) {}

    /// @param asker is looked at again when an answer comes
    /// @param goodFor after which an answer is asked for again behind the scenes, when somebody still wants it
    Calls calls(ObjectName asker, String round, Duration goodFor) {
        return call -> ask(asker, new Question(round, call), goodFor);
    }

    private WebAnswer ask(ObjectName asker, Question question, Duration goodFor) {
        return switch (web.ask(asker, question)) {
            case Answer.Pending<WebAnswer> _ -> throw new Calls.Waiting();
            case Answer.Failed<WebAnswer>(var problem, var _, var _, var _) ->
                throw ReadProblem.unreachable("failed to call endpoint: " + problem);
            case Answer.Known<WebAnswer>(var answer, var read) -> {
                // A refusal may not last, and is asked about again whenever somebody looks, though not all the time.
                var age = Duration.between(read, clock.instant());
                if (age.compareTo(answer.isGood() ? goodFor : SHORTEST_PAUSE) >= 0) {
                    web.refresh(question);
                }
                yield answer;
            }
        };
    }

    Optional<Json.Obj> object(ObjectName asker, ObjectQuestion question) {
        return switch (objects.ask(asker, question)) {
            case Answer.Pending<Optional<Json.Obj>> _ -> throw new Calls.Waiting();
            case Answer.Failed<Optional<Json.Obj>>(var problem, var _, var _, var _) -> throw ReadProblem.of(problem);
            case Answer.Known<Optional<Json.Obj>>(var found, var _) -> found;
        };
    }
}
