package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// An editor that follows a script.
final class LanguageServerTest {

    private static final String POD =
            "apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec: {containers: [{name: \"😀\", image: busybox}]}\n";

    private final StringBuilder said = new StringBuilder();

    private void say(String json) {
        var text = JsonText.write(JsonText.parse(json));
        said.append("Content-Length: ")
                .append(text.getBytes(StandardCharsets.UTF_8).length)
                .append("\r\n\r\n")
                .append(text);
    }

    private void open(String method, String uri, String text) {
        var content = JsonText.write(Json.of(text));
        say("{\"method\": \"textDocument/" + method + "\", \"params\": {\"textDocument\": {\"uri\": \"" + uri
                + "\", \"text\": " + content + "}, \"contentChanges\": [{\"text\": " + content + "}]}}");
    }

    private List<Json.Obj> heard(boolean isPolite) throws IOException {
        var out = new ByteArrayOutputStream();
        var in = new ByteArrayInputStream(said.toString().getBytes(StandardCharsets.UTF_8));
        var server = new LanguageServer(Linting.linter(), UnaryOperator.identity(), in, out);

        assertThat(server.serve()).isEqualTo(isPolite);

        var messages = new ArrayList<Json.Obj>();
        var rest = out.toString(StandardCharsets.UTF_8);
        while (!rest.isEmpty()) {
            int body = rest.indexOf("\r\n\r\n") + 4;
            int length = Integer.parseInt(rest.substring("Content-Length: ".length(), body - 4));
            var bytes = rest.substring(body).getBytes(StandardCharsets.UTF_8);
            messages.add(JsonText.parseObject(new String(bytes, 0, length, StandardCharsets.UTF_8)));
            rest = new String(bytes, length, bytes.length - length, StandardCharsets.UTF_8);
        }
        return messages;
    }

    private static List<String> rules(Json.Obj message) {
        return message.objects("params", "diagnostics").stream()
                .map(each -> each.string("code"))
                .toList();
    }

    @Test
    void tellsWhatIsWrongWhileSomebodyTypes() throws IOException {
        say("{\"id\": 1, \"method\": \"initialize\", \"params\": {}}");
        say("{\"method\": \"initialized\"}");
        open("didOpen", "file:///a.yaml", POD);
        open("didChange", "file:///a.yaml", POD.replace("image: busybox", "image: busybox:1"));
        say("{\"id\": \"x\", \"method\": \"textDocument/hover\"}");
        say("{\"id\": 2, \"method\": \"shutdown\"}");
        say("{\"method\": \"exit\"}");

        var heard = heard(true);

        assertThat(heard.get(0).integer("result", "capabilities", "textDocumentSync"))
                .isEqualTo(1);
        assertThat(rules(heard.get(1))).contains("image-latest");
        assertThat(rules(heard.get(2))).doesNotContain("image-latest");
        assertThat(heard.get(3).integer("error", "code")).isEqualTo(-32601);
        assertThat(heard.get(3).string("id")).isEqualTo("x");
        assertThat(heard.get(4).integer("id")).isEqualTo(2);
        assertThat(heard).hasSize(5);
    }

    @Test
    void countsAsEditorsDo() throws IOException {
        open("didOpen", "file:///a.yaml", POD);

        var range = heard(false).getFirst().objects("params", "diagnostics").stream()
                .filter(each -> each.string("code").equals("image-latest"))
                .findFirst()
                .orElseThrow()
                .object("range");

        assertThat(range.integer("start", "line")).isEqualTo(3);
        assertThat(POD.lines()
                        .skip(3)
                        .findFirst()
                        .orElseThrow()
                        .substring((int) range.integer("start", "character"), (int) range.integer("end", "character")))
                .isEqualTo("busybox");
    }

    @Test
    void filesThatAreOpenKnowOfEachOther() throws IOException {
        var run = "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: a}\nspec: {taskRef: {name: shared}}\n";
        var task = """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: shared}
                spec: {steps: [{image: "busybox:1", command: [ls]}]}
                """;
        open("didOpen", "file:///run.yaml", run);
        open("didOpen", "file:///task.yaml", task);
        open("didClose", "file:///task.yaml", "");

        var heard = heard(false).stream()
                .filter(each -> each.string("params", "uri").endsWith("run.yaml"))
                .map(LanguageServerTest::rules)
                .toList();

        assertThat(heard).containsExactly(List.of("undefined-task"), List.of(), List.of("undefined-task"));
    }

    @Test
    void endsWhenItHearsNonsense() throws IOException {
        said.append("Content-Length: 99999999999\r\n\r\n{}");

        assertThat(heard(false)).isEmpty();
    }
}
