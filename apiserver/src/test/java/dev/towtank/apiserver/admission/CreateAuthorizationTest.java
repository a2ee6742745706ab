package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.auth.Authorizer.Decision;
import dev.towtank.model.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class CreateAuthorizationTest {

    private static final Json.Obj POD = json("{'metadata': {'namespace': 'blue', 'name': 'web'}}");

    private static Review asked(Verb verb, Review review) {
        var call = review.call();
        return new Review(
                new Call(call.user(), call.cluster(), verb, call.target(), call.params(), call.body()),
                review.kind(),
                review.operation(),
                review.namespace(),
                review.name(),
                review.subresource(),
                review.object(),
                review.old());
    }

    @Test
    void refusesToCreateByApplyOrReplaceWithoutTheRight() {
        var rule =
                new CreateAuthorization(attempt -> new Decision(!attempt.verb().equals("create"), ""));
        for (var verb : List.of(Verb.PATCH, Verb.UPDATE)) {
            assertThatThrownBy(() -> rule.change(asked(verb, Reviews.create(Reviews.POD, POD)), POD))
                    .hasMessage(
                            "pods \"web\" is forbidden: User \"jane\" cannot create resource \"pods\" in API group \"\" in"
                                    + " the namespace \"blue\"");
        }
    }

    @Test
    void asksNobodyAboutOtherWrites() {
        var rule = new CreateAuthorization(_ -> new Decision(false, ""));
        assertThat(rule.change(Reviews.create(Reviews.POD, POD), POD)).isEqualTo(POD);
        var update = Reviews.of(Reviews.POD, Review.Operation.UPDATE, "", POD, POD);
        assertThat(rule.change(asked(Verb.PATCH, update), POD)).isEqualTo(POD);
    }

    @Test
    void letsThoseCreateWhoMay() {
        var rule = new CreateAuthorization(_ -> new Decision(true, ""));
        assertThat(rule.change(asked(Verb.PATCH, Reviews.create(Reviews.POD, POD)), POD))
                .isEqualTo(POD);
    }
}
