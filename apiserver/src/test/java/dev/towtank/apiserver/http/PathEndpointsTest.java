package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.http.Documents.Document;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Schemas;
import dev.towtank.model.openapi.OpenApi;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathEndpointsTest {

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private static final AtomicReference<Optional<String>> PROBLEM = new AtomicReference<>(Optional.empty());
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        var fake = new FakeBackend();
        fake.health = new Health(List.of(), List.of(new Health.Check("store", PROBLEM::get)));
        server = new TestServer(TestServer.options(), fake);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tellsMetricsOfTheProcessOnlyInTheDefaultCluster() throws Exception {
        assertThat(server.get("/metrics").statusCode()).isEqualTo(200);
        assertThat(server.get("/clusters/tenant/metrics").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/livez", "/readyz", "/healthz/ping", "/readyz/store"})
    void saysOkToAnybody(String path) throws Exception {
        var response =
                server.send(HttpRequest.newBuilder(server.request(path).build().uri()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ok");
    }

    @Test
    void publishesTheKeysOfTokensForOthersToCache() throws Exception {
        var configuration = server.get("/.well-known/openid-configuration");
        assertThat(configuration.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(configuration.headers().allValues("Cache-Control")).containsExactly("public, max-age=3600");
        var address = "https://localhost:" + server.server.port();
        assertThat(JsonText.parseObject(configuration.body()).string("jwks_uri"))
                .isEqualTo(address + "/openid/v1/jwks");
        var keys = server.get("/openid/v1/jwks");
        assertThat(keys.headers().firstValue("Content-Type")).contains("application/jwk-set+json");
        assertThat(keys.headers().allValues("Cache-Control")).containsExactly("public, max-age=3600");
        assertThat(keys.body()).isEqualTo("{\"keys\":[]}");
        assertThat(server.get("/openid/v2").statusCode()).isEqualTo(404);
        var refused = server.send(server.request("/openid/v1/jwks").setHeader("Authorization", "Bearer nobody"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().allValues("Cache-Control")).containsExactly("no-cache, private");
    }

    @Test
    void listsItsChecks() throws Exception {
        assertThat(server.get("/readyz?verbose").body()).isEqualTo("""
                [+]ping ok
                [+]store ok
                [+]shutdown ok
                readyz check passed
                """);
    }

    @Test
    void saysWhyItIsNotReady() throws Exception {
        PROBLEM.set(Optional.of("disk full"));
        try {
            var response = server.get("/readyz");

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).contains("[-]store failed: disk full", "readyz check failed");
            assertThat(server.get("/livez").statusCode()).isEqualTo(200);
            assertThat(server.get("/readyz/store").body()).isEqualTo("internal server error: disk full\n");
            assertThat(server.get("/readyz?exclude=store").statusCode()).isEqualTo(200);
        } finally {
            PROBLEM.set(Optional.empty());
        }
    }

    @Test
    void tellsItsVersion() throws Exception {
        var version = json(server.get("/version").body());

        assertThat(version.string("major")).isEqualTo("1");
        assertThat(version.string("minor")).isEqualTo("35");
        assertThat(version.string("gitVersion")).isEqualTo("v1.35.0+towtank");
    }

    @Test
    void listsItsPaths() throws Exception {
        assertThat(json(server.get("/").body()).array("paths").strings())
                .contains("/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz/ping", "/readyz/store");
    }

    @Test
    void countsRequests() throws Exception {
        server.get("/api/v1/namespaces/default/pods/web");
        server.get("/api/v1/made/up");

        var text = server.metrics(
                "resource=\"pods\",subresource=\"\",verb=\"GET\",version=\"v1\"} 1.0", "mutating\"} 0.0");

        assertThat(text)
                .contains(
                        "apiserver_request_total{code=\"200\",group=\"\",resource=\"pods\",subresource=\"\",verb=\"GET\",version=\"v1\"} 1.0")
                .contains("apiserver_request_duration_seconds_bucket{")
                .contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 0.0")
                .contains("apiserver_longrunning_requests 0.0")
                .doesNotContain("made");
    }

    @Test
    void listsVersionsOfTheCore() throws Exception {
        var versions = json(server.get("/api").body());

        assertThat(versions.string("kind")).isEqualTo("APIVersions");
        assertThat(versions.array("versions").strings()).containsExactly("v1");
    }

    @Test
    void listsGroups() throws Exception {
        assertThat(json(server.get("/apis").body())).isEqualTo(json("""
                {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
                  {"name": "apps", "versions": [{"groupVersion": "apps/v1", "version": "v1"}],
                   "preferredVersion": {"groupVersion": "apps/v1", "version": "v1"}}]}
                """));
        assertThat(json(server.get("/apis/apps").body()).string("kind")).isEqualTo("APIGroup");
    }

    @Test
    void listsResources() throws Exception {
        var list = json(server.get("/api/v1").body());

        assertThat(list.string("groupVersion")).isEqualTo("v1");
        assertThat(list.objects("resources"))
                .extracting(resource -> resource.string("name"))
                .contains("pods", "pods/status", "pods/log", "pods/eviction", "namespaces", "namespaces/finalize");
        assertThat(list.objects("resources").getFirst()).isEqualTo(json("""
                {"name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod",
                 "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
                 "shortNames": ["po"], "categories": ["all"]}
                """));
    }

    @Test
    void listsResourcesOfGroups() throws Exception {
        var list = json(server.get("/apis/apps/v1").body());

        assertThat(list.objects("resources").get(1)).isEqualTo(json("""
                {"name": "deployments/scale", "singularName": "", "namespaced": true, "group": "autoscaling",
                 "version": "v1", "kind": "Scale", "verbs": ["get", "patch", "update"]}
                """));
    }

    @Test
    void tellsEverythingInOneDocument() throws Exception {
        var response = server.get("/apis", "Accept", AGGREGATED + ",application/json");

        assertThat(response.headers().firstValue("Content-Type")).contains(AGGREGATED);
        var list = json(response.body());
        assertThat(list.string("apiVersion")).isEqualTo("apidiscovery.k8s.io/v2");
        assertThat(list.objects("items").getFirst()).isEqualTo(json("""
                {"metadata": {"name": "apps"}, "versions": [{"version": "v1", "resources": [
                   {"resource": "deployments", "responseKind": {"group": "apps", "version": "v1", "kind": "Deployment"},
                    "scope": "Namespaced", "singularResource": "deployment",
                    "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
                    "subresources": [{"subresource": "scale",
                      "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
                      "verbs": ["get", "patch", "update"]}]}], "freshness": "Current"}]}
                """));
    }

    @Test
    void sendsDiscoveryOnlyWhenItChanged() throws Exception {
        var etag = server.get("/api", "Accept", AGGREGATED)
                .headers()
                .firstValue("ETag")
                .orElseThrow();

        var again = server.get("/api", "Accept", AGGREGATED, "If-None-Match", etag);

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void servesOpenApi() throws Exception {
        server.fake.documents = (_, path, _) -> path.equals("/openapi/v3")
                ? Optional.of(new Document("{}".getBytes(StandardCharsets.UTF_8), "application/json", "abc"))
                : Optional.empty();

        var response = server.get("/openapi/v3");

        assertThat(response.body()).isEqualTo("{}");
        assertThat(response.headers().firstValue("ETag")).contains("\"abc\"");
        assertThat(server.get("/openapi/v3", "If-None-Match", "\"abc\"").statusCode())
                .isEqualTo(304);
    }

    @Test
    void makesOpenApiOfWhatIsServed() throws Exception {
        server.fake.documents = new OpenApiDocuments(server.fake.catalog(), Schemas.builtin(), _ -> Optional.empty());

        var index = json(server.get("/openapi/v3").body());
        var link = index.string("paths", "apis/apps/v1", "serverRelativeURL");
        assertThat(json(server.get(link).body()).object("components", "schemas").has("io.k8s.api.apps.v1.Deployment"))
                .isTrue();
        assertThat(json(server.get("/openapi/v2").body()).string("swagger")).isEqualTo("2.0");
        assertThat(server.get("/openapi/v2", "Accept", OpenApi.V2_PROTOBUF_ASKED)
                        .headers()
                        .firstValue("Content-Type"))
                .contains(OpenApi.V2_PROTOBUF);
        assertThat(server.get("/openapi/v3/apis/none/v1").statusCode()).isEqualTo(404);
    }

    @Test
    void refusesToWriteToPaths() throws Exception {
        assertThat(server.send("POST", "/healthz", "text/plain", "x").statusCode())
                .isEqualTo(405);
        assertThat(server.send("POST", "/apis", "text/plain", "x").statusCode()).isEqualTo(405);
    }

    private static Json.Obj json(String text) {
        return JsonText.parseObject(text);
    }

    @Test
    void aFeatureMayAnswerEverybodyWithinItsLimit() throws Exception {
        var open = HttpRequest.newBuilder(server.request("/open/below").build().uri());
        assertThat(server.send(open.POST(HttpRequest.BodyPublishers.ofString("1234567890")))
                        .body())
                .isEqualTo("1234567890");
        var large = server.send(open.POST(HttpRequest.BodyPublishers.ofString("12345678901")));
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).contains("larger than 10 bytes");
    }
}
