package dev.towtank.model.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Expressions in files, each with what it gives or how it fails.
class JqExpressionTest {

    private static final List<String> FILES = List.of("expressions", "language", "errors", "hostile");

    @TestFactory
    Stream<DynamicTest> expressions() {
        return cases().map(test -> dynamicTest(test.string("expression"), () -> check(test)));
    }

    @Test
    void aVeryLongChainEndsWithAnError() {
        var expression = "." + "| .".repeat(20_000);
        assertThrows(JqError.class, () -> JqExpression.compile(expression).evaluate(Json.of(1), 10));
    }

    @Test
    void whateverIsWrittenEndsInValuesOrAnError() {
        var random = new Random(7);
        var expressions = cases().map(test -> test.string("expression")).toList();
        for (int i = 0; i < 5000; i++) {
            var text = mixed(random, expressions);
            try {
                JqExpression.compile(text).evaluate(Json.Arr.of(Json.of(1), Json.of("a"), Json.Obj.EMPTY), 2000);
            } catch (JqError e) {
                assertEquals(e.getMessage().strip(), e.getMessage(), text);
            }
        }
    }

    /// The beginning of one expression and the end of another, sometimes with a character too much or too few.
    private static String mixed(Random random, List<String> expressions) {
        var first = expressions.get(random.nextInt(expressions.size()));
        var second = expressions.get(random.nextInt(expressions.size()));
        var between = List.of("", "|", ",", " as $x |", "?", "//", "[", "}", "\"", "\\(", ";")
                .get(random.nextInt(11));
        return first.substring(0, random.nextInt(first.length() + 1))
                + between
                + second.substring(random.nextInt(second.length() + 1));
    }

    private static Stream<Json.Obj> cases() {
        return FILES.stream().flatMap(file -> {
            try (var stream = JqExpressionTest.class.getResourceAsStream("/jq/" + file + ".yaml")) {
                return ((Json.Arr) YamlText.parse(stream.readAllBytes())).objects().stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
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
