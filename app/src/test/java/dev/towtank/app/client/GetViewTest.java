package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.client.GetView.Format;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GetViewTest {
    private static final String PODS = """
        kind: Table
        metadata: {resourceVersion: "7"}
        columnDefinitions:
        - {name: Name, priority: 0}
        - {name: Status, priority: 0}
        - {name: Restarts, priority: 0}
        - {name: Node, priority: 1}
        rows:
        - {cells: [web, Running, 0, vm], object: {metadata: {name: web, namespace: shop}}}
        - {cells: [a-longer-one, "Odd\\e[31m\\nsecond line", 12, null], object: {metadata: {namespace: shop}}}
        """;

    private FakeApi api;

    @BeforeEach
    void start() throws Exception {
        api = new FakeApi().withKinds();
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private boolean show(String namespace, Format format, String... words) {
        try (var client = api.client()) {
            var options = new GetView.Options(namespace, format, "", "", true);
            return new GetView(client, options, api.out(), api.err()).show(List.of(words));
        }
    }

    @Test
    void showsTheColumnsOfTheServer() {
        api.with("/api/v1/namespaces/shop/pods", PODS);

        assertThat(show("shop", Format.TABLE, "po")).isTrue();

        assertThat(api.printed()).isEqualTo("""
            NAME           STATUS        RESTARTS
            web            Running       0
            a-longer-one   Odd^[31m...   12
            """);
    }

    @Test
    void showsMoreColumnsAndNamespacesWhenAsked() {
        api.with("/api/v1/pods", PODS);

        show("", Format.WIDE, "pods");

        assertThat(api.printed().lines().toList().getFirst()).matches("NAMESPACE +NAME +STATUS +RESTARTS +NODE");
        assertThat(api.printed().lines().toList().get(2)).startsWith("shop ").endsWith("<none>");
    }

    @Test
    void showsSeveralKindsOneAfterAnotherWithTheirNames() {
        api.with("/api/v1/namespaces/shop/pods/web", PODS)
                .with("/apis/tekton.dev/v1/namespaces/shop/pipelineruns/build", """
                    {kind: Table, columnDefinitions: [{name: Name}], rows: [{cells: [build]}]}
                    """);

        show("shop", Format.TABLE, "pod/web", "pr/build");

        assertThat(api.printed()).contains("pod/web ", "\n\nNAME\npipelinerun.tekton.dev/build\n");
    }

    @Test
    void tellsWhatIsMissingAfterWhatIsThere() {
        api.with("/api/v1/namespaces/shop/pods/web", "{metadata: {name: web}}");

        assertThat(show("shop", Format.NAME, "pods", "web", "nope")).isFalse();

        assertThat(api.printed()).isEqualTo("pod/web\n");
        assertThat(api.complained()).startsWith("towtank: the server says (NotFound): ");
    }

    @Test
    void anObjectIsShownWithItsTypeAndWithoutWhoManagesIt() {
        api.with("/apis/apps/v1/namespaces/shop/deployments/web", """
            {metadata: {name: web, managedFields: [{manager: somebody}]}, spec: {replicas: 2}}
            """);

        show("shop", Format.YAML, "deployments.apps/web");

        assertThat(api.printed()).isEqualTo("""
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
            spec:
              replicas: 2
            """);
    }

    @Test
    void aCategoryIsAllItsKinds() {
        api.with("/api/v1/namespaces/shop/pods", "{items: [{metadata: {name: one}}]}")
                .with("/apis/apps/v1/namespaces/shop/deployments", "{items: [{metadata: {name: two}}]}");

        show("shop", Format.NAME, "all");

        assertThat(api.printed()).isEqualTo("pod/one\ndeployment.apps/two\n");
    }

    @Test
    void aLongListComesInPages() {
        api.with("/api/v1/namespaces/shop/pods", "{metadata: {continue: a+b}, items: [{metadata: {name: one}}]}")
                .with("/api/v1/namespaces/shop/pods?&limit=500&continue=a%2Bb", "{items: [{metadata: {name: two}}]}");

        show("shop", Format.NAME, "pods");

        assertThat(api.printed()).isEqualTo("pod/one\npod/two\n");
    }

    @Test
    void whereNothingIsItSaysSo() {
        api.with("/api/v1/namespaces/shop/pods", "{kind: Table, rows: []}");

        assertThat(show("shop", Format.TABLE, "pods")).isTrue();
        assertThat(api.complained()).isEqualTo("No objects found in namespace shop.\n");
    }

    @Test
    void withoutAKindTheKindsAreListed() {
        show("shop", Format.TABLE);

        assertThat(api.printed())
                .startsWith("NAME           SHORT NAMES   API VERSION     NAMESPACED   KIND\n")
                .contains("pipelineruns   pr,prs        tekton.dev/v1   yes          PipelineRun\n");
    }

    @Test
    void explainsAWordThatIsNoKind() {
        assertThatThrownBy(() -> show("shop", Format.TABLE, "taskrns"))
                .hasMessage("The server has no kind \"taskrns\". Did you mean taskruns? 'towtank get' without arguments"
                        + " lists them all.");
        assertThatThrownBy(() -> show("shop", Format.TABLE, "pod/", "pod/b")).hasMessageContaining("KIND/NAME");
        assertThatThrownBy(() -> show("", Format.TABLE, "pod/a")).hasMessageContaining("leave out -A");
    }

    @Test
    void aNameCannotLeadToAnotherPath() {
        show("shop", Format.NAME, "pod/../secrets?x=1");

        assertThat(api.requests).contains("GET /api/v1/namespaces/shop/pods/..%2Fsecrets%3Fx%3D1");
    }
}
