package dev.towtank.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeatureRulesTest {

    private static final String OBJECT = "{\"metadata\": {\"name\": \"a\", \"namespace\": \"n\"}}";

    private record Strict(String group, String kind) implements KindBehaviour {
        @Override
        public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
            return Optional.of(KindBehaviour.denied("strict", "never"));
        }
    }

    @Test
    void refusesWhatAFeatureDoesNotTakeOfABuiltInKind() {
        var rules = new FeatureRules(List.of(new Strict("", "Pod"), new Strict("example.com", "Thing")));

        assertThatThrownBy(() -> rules.check(Reviews.create(Reviews.POD, OBJECT)))
                .hasMessageContaining("admission webhook \"strict\" denied the request: never");
        assertThatCode(() -> rules.check(Reviews.create(Reviews.DEPLOYMENT, OBJECT)))
                .doesNotThrowAnyException();
        assertThatCode(() -> rules.check(Reviews.delete(Reviews.POD, OBJECT))).doesNotThrowAnyException();
    }
}
