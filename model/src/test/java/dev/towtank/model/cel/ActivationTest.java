package dev.towtank.model.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.cel.Expression.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivationTest {

    private static final Map<String, Shape> VARIABLES = Map.of(
            "object", Shape.Scalar.ANY,
            "authorizer", Shape.Handle.AUTHORIZER,
            "authorizer.requestResource", Shape.Handle.RESOURCE_CHECK);

    private static final Json.Obj OBJECT = JsonText.parseObject("{\"spec\":{\"replicas\":3,\"names\":[\"a\",\"b\"]}}");

    private final List<String> asked = new ArrayList<>();

    private final Authority authority = new Recorder("jane");

    private final class Recorder implements Authority {
        private final String user;

        Recorder(String user) {
            this.user = user;
        }

        @Override
        public Decision onResource(String verb, Resource resource) {
            asked.add(user + " " + verb + " " + resource.group() + "/" + resource.resource() + "/"
                    + resource.subresource() + "/" + resource.namespace() + "/" + resource.name());
            return new Decision(verb.equals("get"), "because", verb.equals("fail") ? "broken" : "");
        }

        @Override
        public Decision onPath(String verb, String path) {
            asked.add(user + " " + verb + " " + path);
            return new Decision(true, "", "");
        }

        @Override
        public Authority serviceAccount(String namespace, String name) {
            return new Recorder(namespace + ":" + name);
        }
    }

    private Outcome evaluate(Expressions.Scope scope, String text) throws Expressions.Malformed {
        var activation = new Activation(Map.of("object", OBJECT))
                .withAuthorizer(authority, new Authority.Resource("apps", "deployments", "", "shop", "web"));
        return scope.compile(text, Shape.Scalar.ANY).evaluate(activation, Expressions.PER_CALL_LIMIT);
    }

    private static Expressions.Scope scope() {
        return Expressions.kubernetes().composedScope(VARIABLES);
    }

    @Test
    void namedExpressionsBuildOnEachOther() throws Expressions.Malformed {
        var scope = scope();
        scope.define("replicas", "object.spec.replicas");
        scope.define("twice", "variables.replicas * 2");
        scope.define("names", "object.spec.names.map(n, n + '!')");

        assertThat(evaluate(scope, "variables.twice + size(variables.names)"))
                .isInstanceOfSatisfying(
                        Outcome.Value.class, value -> assertThat(value.json()).isEqualTo(Json.of(8)));
        assertThat(scope.compile("variables.names", Shape.Scalar.ANY).type()).isEqualTo("list(string)");
    }

    @Test
    void namedExpressionsAreEvaluatedOnceAndPaidOnce() throws Expressions.Malformed {
        var scope = scope();
        scope.define("allowed", "authorizer.path('/x').check('get').allowed()");
        var activation = new Activation(Map.of("object", OBJECT))
                .withAuthorizer(authority, new Authority.Resource("", "pods", "", "", ""));
        var expression = scope.compile("variables.allowed && variables.allowed", Shape.Scalar.BOOL);

        long first = expression.evaluate(activation, Expressions.PER_CALL_LIMIT).cost();
        long second =
                expression.evaluate(activation, Expressions.PER_CALL_LIMIT).cost();

        assertThat(asked).containsExactly("jane get /x");
        assertThat(second).isLessThan(first);
    }

    @Test
    void unusedNamesCostNothing() throws Expressions.Malformed {
        var scope = scope();
        scope.define("broken", "object.nothing.there");

        assertThat(evaluate(scope, "true || variables.broken == 1")).isInstanceOf(Outcome.Value.class);
        assertThat(evaluate(scope, "variables.broken == 1"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.message())
                                .isEqualTo("composited variable \"broken\" fails to evaluate: no such key: nothing"));
    }

    @Test
    void checksNamesAndTheirTypes() throws Expressions.Malformed {
        var scope = scope();
        scope.define("count", "1 + 1");

        assertThatThrownBy(() -> scope.compile("variables.other", Shape.Scalar.ANY))
                .hasMessageContaining("undefined field 'other'");
        assertThatThrownBy(() -> scope.compile("variables.count == 'a'", Shape.Scalar.ANY))
                .hasMessageContaining("found no matching overload");
        assertThatThrownBy(() -> scope.define("self", "variables.self")).hasMessageContaining("undefined field 'self'");
        assertThatThrownBy(() -> scope.define("bad", "1 +")).isInstanceOf(Expressions.Malformed.class);
        assertThat(scope.compile("variables.bad == 1", Shape.Scalar.ANY).type()).isEqualTo("bool");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1                                     | int
            'a'                                   | string
            object.spec                           | dyn
            null                                  | null_type
            {'a': 1}                              | map(string, int)
            authorizer.path('/').check('get')     | kubernetes.authorization.Decision
            """)
    void namesTypes(String text, String type) throws Expressions.Malformed {
        assertThat(scope().compile(text, Shape.Scalar.ANY).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            authorizer.group('').resource('pods').namespace('a').name('b').subresource('log').check('get').allowed() | true   | jane get /pods/log/a/b
            authorizer.group('apps').resource('deployments').check('create').allowed()   | false | jane create apps/deployments///
            authorizer.group('apps').resource('x').labelSelector('a=b').fieldSelector('c=d').check('get').reason() | because | jane get apps/x///
            authorizer.requestResource.check('get').allowed()                            | true  | jane get apps/deployments//shop/web
            authorizer.requestResource.check('fail').errored()                           | true  | jane fail apps/deployments//shop/web
            authorizer.requestResource.check('fail').error()                             | broken| jane fail apps/deployments//shop/web
            authorizer.serviceAccount('ns', 'robot').path('/healthz').check('get').allowed() | true | ns:robot get /healthz
            """)
    void asksWhatUsersMayDo(String text, String result, String question) throws Expressions.Malformed {
        assertThat(evaluate(scope(), text))
                .isInstanceOfSatisfying(
                        Outcome.Value.class,
                        value -> assertThat(value.json().display()).isEqualTo(result));
        assertThat(asked).containsExactly(question);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            authorizer.path(' ').check('get').allowed()           | path must not be empty
            authorizer.group('').resource('').check('get').allowed() | resource must not be empty
            authorizer.serviceAccount('ns', 'A_').path('/').check('get').allowed() | Invalid service account name
            authorizer.serviceAccount('N', 'a').path('/').check('get').allowed()   | Invalid service account namespace
            """)
    void refusesQuestionsAboutNothing(String text, String message) throws Expressions.Malformed {
        assertThat(evaluate(scope(), text))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.message()).isEqualTo(message));
    }
}
