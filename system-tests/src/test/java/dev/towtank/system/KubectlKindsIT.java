package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every verb of kubectl that changes objects, on a built-in kind, on one of Tekton and on a custom one: what works
/// for
/// one kind must work for all.
@ParameterizedClass
@MethodSource("kinds")
class KubectlKindsIT {

    private static final String DEFINITION = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: kites.sky.example.com}
        spec:
          group: sky.example.com
          scope: Namespaced
          names: {plural: kites, singular: kite, kind: Kite}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {description: {type: string}, line: {type: integer}}}
        """;

    private static final String CONFIG_MAP = """
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {description: WORDS}}
        """;
    private static final String TASK = """
        apiVersion: tekton.dev/v1
        kind: Task
        metadata: {name: one}
        spec: {description: WORDS, steps: [{name: say, image: alpine, script: echo hello}]}
        """;
    private static final String KITE = """
        ---
        {apiVersion: sky.example.com/v1, kind: Kite, metadata: {name: one}, spec: {description: WORDS, line: 3}}
        """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Parameter(0)
    Path binary;

    /// As kubectl calls it.
    @Parameter(1)
    String kind;

    /// Where its words are.
    @Parameter(2)
    String field;

    @Parameter(3)
    String template;

    private Kubectl kubectl;

    static List<Arguments> kinds() {
        return Kubectl.binaries().stream()
                .flatMap(binary -> List.of(
                        Arguments.of(binary, "configmap", "data", CONFIG_MAP),
                        Arguments.of(binary, "task.tekton.dev", "spec", TASK),
                        Arguments.of(binary, "kite.sky.example.com", "spec", KITE))
                        .stream())
                .toList();
    }

    @BeforeEach
    void namespace() {
        var own = SERVER.inNewNamespace();
        kubectl = Kubectl.of(binary, own.kubeconfig(), own.namespace());
        kubectl.withInput(DEFINITION, "apply", "-f", "-");
        kubectl.run("wait", "--for=condition=established", "crd/kites.sky.example.com", "--timeout=120s");
    }

    private String with(String words) {
        return template.replace("WORDS", words);
    }

    private String words() {
        return kubectl.run("get", kind, "one", "-o", "jsonpath={." + field + ".description}");
    }

    @Test
    void appliesAChangedObject() {
        kubectl.withInput(with("first"), "apply", "-f", "-");
        assertThat(kubectl.withInput(with("second"), "apply", "-f", "-")).contains("one configured");
        assertThat(words()).isEqualTo("second");
        // Tekton writes empty fields into lists, which kubectl then takes for a difference at every apply.
        assertThat(kubectl.withInput(with("second"), "apply", "-f", "-"))
                .contains(kind.startsWith("task") ? "one configured" : "one unchanged");
        assertThat(kubectl.withInput(with("third"), "apply", "--dry-run=server", "-f", "-"))
                .contains("(server dry run)");
        assertThat(kubectl.attempt(with("third"), Map.of(), "diff", "-f", "-").out())
                .contains("third");
        assertThat(words()).isEqualTo("second");
        kubectl.withInput(with("fourth"), "apply", "--server-side", "--force-conflicts", "-f", "-");
        assertThat(words()).isEqualTo("fourth");
    }

    @Test
    void replacesLabelsAnnotatesAndPatches() {
        kubectl.withInput(with("first"), "create", "-f", "-");
        kubectl.withInput(with("second"), "replace", "-f", "-");
        assertThat(words()).isEqualTo("second");
        kubectl.run("label", kind, "one", "side=left");
        kubectl.run("label", kind, "one", "side=right", "--overwrite");
        kubectl.run("annotate", kind, "one", "example.com/note=yes");
        assertThat(kubectl.run("get", kind, "-l", "side=right", "-o", "name")).contains("/one");
        var third = "{\"" + field + "\":{\"description\":\"third\"}}";
        kubectl.run("patch", kind, "one", "--type=merge", "-p", third);
        assertThat(words()).isEqualTo("third");
        var fourth = "[{\"op\":\"replace\",\"path\":\"/" + field + "/description\",\"value\":\"fourth\"}]";
        kubectl.run("patch", kind, "one", "--type=json", "-p", fourth);
        assertThat(words()).isEqualTo("fourth");
        assertThat(kubectl.run("describe", kind, "one")).contains("fourth");
    }

    @Test
    void editsAnObject() {
        kubectl.withInput(with("first"), "create", "-f", "-");
        var editor = Map.of("KUBE_EDITOR", "sed -i s/first/second/");
        assertThat(kubectl.attempt("", editor, "edit", kind, "one").out()).contains("one edited");
        assertThat(words()).isEqualTo("second");
    }

    @Test
    void triesADeletionWithoutDeleting() {
        kubectl.withInput(with("first"), "create", "-f", "-");
        assertThat(kubectl.run("delete", kind, "one", "--dry-run=server")).contains("(server dry run)");
        assertThat(kubectl.run("delete", kind, "--all", "--dry-run=server")).contains("(server dry run)");
        assertThat(kubectl.run("delete", "namespace", kubectl.namespace(), "--dry-run=server"))
                .contains("(server dry run)");
        assertThat(words()).isEqualTo("first");
        kubectl.run("delete", kind, "one");
        assertThat(kubectl.run("get", kind, "-o", "name")).doesNotContain("/one");
    }
}
