package dev.towtank.model.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a":1}          | [{"op":"add","path":"/b","value":2}]                 | {"a":1,"b":2}
            {"a":1}          | [{"op":"add","path":"/a","value":{"b":[]}}]          | {"a":{"b":[]}}
            {"a":[1,3]}      | [{"op":"add","path":"/a/1","value":2}]               | {"a":[1,2,3]}
            {"a":[1]}        | [{"op":"add","path":"/a/-","value":2}]               | {"a":[1,2]}
            {"a":[1,3]}      | [{"op":"add","path":"/a/-1","value":4}]              | {"a":[1,3,4]}
            {"a":[1,2]}      | [{"op":"add","path":"/a/2","value":3}]               | {"a":[1,2,3]}
            {"a":{}}         | [{"op":"add","path":"/a/x~1y~0z","value":1}]         | {"a":{"x/y~z":1}}
            {"a":1}          | [{"op":"add","path":"/b"}]                           | {"a":1,"b":null}
            {"a":1,"b":2}    | [{"op":"remove","path":"/b"}]                        | {"a":1}
            {"a":[1,2,3]}    | [{"op":"remove","path":"/a/0"}]                      | {"a":[2,3]}
            {"a":[1,2,3]}    | [{"op":"remove","path":"/a/-1"}]                     | {"a":[1,2]}
            {"a":1}          | [{"op":"replace","path":"/a","value":"x"}]           | {"a":"x"}
            {"a":{}}         | [{"op":"replace","path":"/a/missing","value":1}]     | {"a":{"missing":1}}
            {"a":[1,2]}      | [{"op":"replace","path":"/a/1","value":3}]           | {"a":[1,3]}
            {"a":1}          | [{"op":"replace","path":"","value":{"b":1}}]         | {"b":1}
            {"a":{"b":1}}    | [{"op":"move","from":"/a/b","path":"/c"}]            | {"a":{},"c":1}
            {"a":[1,2,3]}    | [{"op":"move","from":"/a/0","path":"/a/2"}]          | {"a":[2,3,1]}
            {"a":{"b":[1]}}  | [{"op":"copy","from":"/a","path":"/c"}]              | {"a":{"b":[1]},"c":{"b":[1]}}
            {"a":1}          | [{"op":"copy","from":"/x","path":"/c"}]              | {"a":1,"c":null}
            {"a":{"b":[1]}}  | [{"op":"test","path":"/a","value":{"b":[1]}}]        | {"a":{"b":[1]}}
            {"a":null}       | [{"op":"test","path":"/a","value":null}]             | {"a":null}
            {"a":1}          | [{"op":"test","path":"/missing"}]                    | {"a":1}
            {"a":1}          | [{"op":"test","path":"","value":{"a":1}}]            | {"a":1}
            {"a":1}          | [{"op":"remove","path":"/a"},{"op":"add","path":"/a","value":2}] | {"a":2}
            {"a":{"b":{}}}   | [{"op":"add","path":"/a/b/c","value":1},{"op":"test","path":"/a","value":{"b":{"c":1}}}] | {"a":{"b":{"c":1}}}
            """)
    void changesTheDocument(String document, String patch, String expected) {
        assertThat(apply(document, patch)).isEqualTo(JsonText.parse(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1}     | [{"op":"remove","path":"/b"}]              | error in remove for path: '/b': Unable to remove nonexistent key: b: missing value
            {"a":1}     | [{"op":"remove","path":"/b/c"}]            | remove operation does not apply: doc is missing path: "/b/c": missing value
            {"a":1}     | [{"op":"add","path":"/b/c","value":1}]     | add operation does not apply: doc is missing path: "/b/c": missing value
            {"a":1}     | [{"op":"add","path":"","value":1}]         | add operation does not apply: doc is missing path: "": missing value
            {"a":"x"}   | [{"op":"add","path":"/a/c","value":1}]     | add operation does not apply: doc is missing path: "/a/c": missing value
            {"a":[1]}   | [{"op":"add","path":"/a/3","value":1}]     | error in add for path: '/a/3': Unable to access invalid index: 3: invalid index referenced
            {"a":1}     | [{"op":"replace","path":"/b/c","value":1}] | replace operation does not apply: doc is missing path: /b/c: missing value
            {"a":[1]}   | [{"op":"replace","path":"/a/1","value":1}] | replace operation does not apply: doc is missing key: /a/1: missing value
            {"a":1}     | [{"op":"move","from":"/b","path":"/c"}]    | error in move for path: 'b': Unable to remove nonexistent key: b: missing value
            {"a":1}     | [{"op":"test","path":"/a","value":2}]      | testing value /a failed: test failed
            {"a":1}     | [{"op":"test","path":"/b","value":2}]      | testing value /b failed: test failed
            {"a":1}     | [{"op":"frobnicate","path":"/b"}]          | Unexpected kind: frobnicate
            {"a":1}     | [{"op":"add","value":2}]                   | add operation failed to decode path: operation missing path field: missing value
            """)
    void refusesAsKubernetesDoes(String document, String patch, String why) {
        var error = catchThrowableOfType(StatusError.class, () -> apply(document, patch));
        assertThat(error.code()).isEqualTo(422);
        assertThat(error.text()).isEqualTo("the server rejected our request due to an error in our request");
        assertThat(error.details().objects("causes").getFirst().string("message"))
                .isEqualTo(why);
    }

    @Test
    void leavesTheOriginalAlone() {
        var original = JsonText.parse("{\"a\":{\"b\":[1]}}");
        JsonPatch.apply(original, (Json.Arr) JsonText.parse("[{\"op\":\"add\",\"path\":\"/a/b/-\",\"value\":2}]"));
        assertThat(original).isEqualTo(JsonText.parse("{\"a\":{\"b\":[1]}}"));
    }

    @Test
    void bounds() {
        var operation = JsonText.parse("{\"op\":\"add\",\"path\":\"/a\",\"value\":2}");
        var many = new Json.Arr(Collections.nCopies(JsonPatch.MAX_OPERATIONS + 1, operation));
        assertThatThrownBy(() -> JsonPatch.apply(Json.Obj.EMPTY, many))
                .hasMessage("Request entity too large: The allowed maximum operations in a JSON patch is 10000, got"
                        + " 10001");
        assertThatThrownBy(() -> apply("{}", "[\"x\"]"))
                .hasMessage("json: cannot unmarshal string into Go value of type jsonpatch.Operation");
    }

    @Test
    void copiesOfCopiesStop() {
        var copy = JsonText.parse("{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/-\"}");
        var document = JsonText.parse("{\"a\":[\"0123456789\"]}");
        var error = catchThrowableOfType(
                StatusError.class, () -> JsonPatch.apply(document, new Json.Arr(Collections.nCopies(100, copy))));
        assertThat(error.details().toString()).contains("exceeding the limit 3145728");
    }

    @Test
    void nestingStops() {
        var wrap = """
                {"op":"copy","from":"/a","path":"/b"}, {"op":"replace","path":"/a","value":{}},
                {"op":"move","from":"/b","path":"/a/a"}""";
        var patch = "[" + String.join(",", Collections.nCopies(1000, wrap)) + "]";
        var error = catchThrowableOfType(StatusError.class, () -> apply("{\"a\":1}", patch));
        assertThat(error.details().toString()).contains("deeper than 500 levels");
    }

    private static Json apply(String document, String patch) {
        return JsonPatch.apply(JsonText.parse(document), (Json.Arr) JsonText.parse(patch));
    }
}
