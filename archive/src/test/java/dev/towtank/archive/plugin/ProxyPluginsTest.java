package dev.towtank.archive.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyPluginsTest {

    private static final String RECORDS = "/apis/results.tekton.dev/v1alpha2/parents/ns1/results/-/records";

    private Optional<Resource> secret = Optional.empty();

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Cache of(String... objects) {
        var all = List.of(objects).stream().map(ProxyPluginsTest::object).toList();
        return new Cache() {
            @Override
            public Optional<Resource> get(ObjectName name) {
                return all.stream()
                        .filter(each -> ObjectName.of(each).equals(name))
                        .findFirst();
            }

            @Override
            public List<Resource> list() {
                return all;
            }

            @Override
            public List<Resource> by(Index index, String key) {
                return List.of();
            }

            @Override
            public int count(Index index, String key) {
                return 0;
            }
        };
    }

    private String asked(String path, String member) throws Exception {
        var proxy = new ProxyPlugins(
                of(
                        "{kind: ProxyPlugin, metadata: {name: tekton-results, namespace: host}, spec: {openShiftRouteTargetEndpoint: {name: tekton-results, namespace: r}}}",
                        "{kind: ProxyPlugin, metadata: {name: other, namespace: host}, spec: {openShiftRouteTargetEndpoint: {name: other, namespace: r}}}"),
                of(
                        "{kind: Space, metadata: {name: ws1, namespace: host}}",
                        "{kind: Space, metadata: {name: ws2, namespace: host}, spec: {targetCluster: m1}, status: {targetCluster: m2}}",
                        "{kind: Space, metadata: {name: ws3, namespace: host}, spec: {targetCluster: nowhere}}",
                        "{kind: Space, metadata: {name: secret, namespace: host}}"),
                of("{kind: ToolchainCluster, metadata: {name: m2, namespace: host}, spec: {apiEndpoint: '" + member
                        + "', secretRef: {name: m2}}}"),
                (caller, space) ->
                        caller.name().equals("alice") && !space.name().equals("secret"),
                request -> WebResponse.text(
                        200,
                        "here " + request.path() + " "
                                + request.caller().orElseThrow().name()),
                new Forwarding(_ -> secret));
        var headers = Map.of(
                "authorization",
                List.of("Bearer alices"),
                "impersonate-user",
                List.of("root"),
                "accept",
                List.of("a/b"));
        InputStream body = new ByteArrayInputStream(new byte[0]);
        var caller = new WebRequest.Caller("alice", List.of("devs"), LogicalCluster.DEFAULT);
        var answer = proxy.handle(new WebRequest("GET", path, "filter=x", headers, body, Optional.of(caller), true));
        var out = new ByteArrayOutputStream();
        answer.body().writeTo(out);
        return answer.status() + " " + out.toString(StandardCharsets.UTF_8).strip();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/plugins/tekton-results" + RECORDS + "                | 200 here " + RECORDS + " alice",
                "/plugins/tekton-results/workspaces/ws1" + RECORDS + " | 200 here " + RECORDS + " alice",
                "/plugins/tekton-results/workspaces/secret/x           | 403 invalid workspace request: access to workspace 'secret' is forbidden",
                "/plugins/tekton-results/workspaces/none/x             | 403 invalid workspace request: access to workspace 'none' is forbidden",
                "/plugins/tekton-results/workspaces/ws3/x              | 500 unable to get target cluster: there is no ToolchainCluster nowhere",
                "/plugins/unknown/x                                    | 500 unable to get target cluster: there is no ProxyPlugin unknown",
                "/plugins/other/x                                      | 500 unable to get target cluster: this server has nothing behind the route other",
            })
    void pathsLeadWhereTheyShould(String path, String answer) throws Exception {
        assertThat(asked(path, "https://m2")).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "/plugins",
        "/plugins/",
        "/plugins/tekton-results/workspaces",
        "/plugins/tekton-results/workspaces/",
        "/plugins/A b/x"
    })
    void whatNamesNothingIsRefused(String path) throws Exception {
        assertThatThrownBy(() -> PluginPath.parse(path)).isInstanceOf(ArchiveRefusal.class);
        assertThat(asked(path, "https://m2")).startsWith("400 ");
    }

    @Test
    void anotherServerIsAskedAsOurselvesInTheirName() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var headers = exchange.getRequestHeaders();
            var said = exchange.getRequestURI() + " " + headers.get("Authorization") + headers.get("Impersonate-User")
                    + headers.get("Impersonate-Group") + headers.get("X-SSO-User") + headers.get("Accept");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(said.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        try {
            var address = "http://127.0.0.1:" + server.getAddress().getPort();
            assertThat(asked("/plugins/tekton-results/workspaces/ws2" + RECORDS, address))
                    .startsWith("500 unable to get target cluster: ToolchainCluster m2 needs");
            secret = Optional.of(
                    object("{kind: Secret, metadata: {name: m2, namespace: host}, data: {token: bWVtYmVy}}"));
            assertThat(asked("/plugins/tekton-results/workspaces/ws2" + RECORDS, address))
                    .isEqualTo("200 " + RECORDS + "?filter=x [Bearer member][alice][devs][alice][a/b]");
        } finally {
            server.stop(0);
        }
        assertThat(asked("/plugins/tekton-results/workspaces/ws2/x", "http://127.0.0.1:1"))
                .startsWith("502 the server of this workspace does not answer");
    }
}
