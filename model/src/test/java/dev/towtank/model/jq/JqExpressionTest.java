package dev.towtank.model.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Expressions in a file, each with what it gives or how it fails.
class JqExpressionTest {

    @TestFactory
    Stream<DynamicTest> expressions() throws IOException {
        try (var stream = JqExpressionTest.class.getResourceAsStream("/jq/expressions.yaml")) {
            return ((Json.Arr) YamlText.parse(stream.readAllBytes()))
                    .objects().stream().map(test -> dynamicTest(test.string("expression"), () -> check(test)));
        }
    }

    @Test
    void aVeryLongChainEndsWithAnError() {
        var expression = "." + "| .".repeat(20_000);
        assertThrows(JqError.class, () -> JqExpression.compile(expression).evaluate(Json.of(1), 10));
    }

    private static void check(Json.Obj test) {
        if (test.has("fails")) {
            var error = assertThrows(JqError.class, () -> run(test));
            assertEquals(test.string("fails"), error.getMessage());
        } else {
            assertEquals(test.array("gives"), run(test));
        }
    }

    private static Json run(Json.Obj test) {
        var expression = JqExpression.compile(test.string("expression"));
        return new Json.Arr(expression.evaluate(test.get("input"), test.integerOr(100_000, "steps")));
    }
}
