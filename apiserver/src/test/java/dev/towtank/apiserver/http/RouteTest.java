package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

    private static final String CSV = """
            # method, address,                                             verb, group, version, resource, namespace, name, subresource
            GET,    /api/v1/pods,                                          list,   '',   v1, pods, '', '', ''
            GET,    /api/v1/pods/,                                         list,   '',   v1, pods, '', '', ''
            GET,    /api/v1/pods?watch=true,                               watch,  '',   v1, pods, '', '', ''
            GET,    /api/v1/pods?watch=1,                                  watch,  '',   v1, pods, '', '', ''
            GET,    /api/v1/pods?watch=false,                              list,   '',   v1, pods, '', '', ''
            GET,    /api/v1/namespaces/a/pods,                             list,   '',   v1, pods, a, '', ''
            GET,    /api/v1/namespaces/a/pods/x,                           get,    '',   v1, pods, a, x, ''
            GET,    /api/v1/namespaces/a/pods/x?watch=true,                get,    '',   v1, pods, a, x, ''
            GET,    /api/v1/namespaces/a/pods/x/log,                       get,    '',   v1, pods, a, x, log
            POST,   /api/v1/namespaces/a/pods/x/exec,                      create, '',   v1, pods, a, x, exec
            GET,    /api/v1/namespaces/a/pods/x/proxy/y//z,                get,    '',   v1, pods, a, x, proxy
            POST,   /api/v1/namespaces/a/pods,                             create, '',   v1, pods, a, '', ''
            PUT,    /api/v1/namespaces/a/pods/x,                           update, '',   v1, pods, a, x, ''
            PUT,    /api/v1/namespaces/a/pods/x/status,                    update, '',   v1, pods, a, x, status
            PATCH,  /api/v1/namespaces/a/pods/x,                           patch,  '',   v1, pods, a, x, ''
            DELETE, /api/v1/namespaces/a/pods/x,                           delete, '',   v1, pods, a, x, ''
            DELETE, /api/v1/namespaces/a/pods,                             deletecollection, '', v1, pods, a, '', ''
            GET,    /api/v1/namespaces,                                    list,   '',   v1, namespaces, '', '', ''
            GET,    /api/v1/namespaces/a,                                  get,    '',   v1, namespaces, '', a, ''
            PUT,    /api/v1/namespaces/a/status,                           update, '',   v1, namespaces, '', a, status
            PUT,    /api/v1/namespaces/a/finalize,                         update, '',   v1, namespaces, '', a, finalize
            GET,    /api/v1/nodes/n,                                       get,    '',   v1, nodes, '', n, ''
            GET,    /apis/apps/v1/deployments,                             list,   apps, v1, deployments, '', '', ''
            GET,    /apis/apps/v1/namespaces/a/deployments/d/scale,        get,    apps, v1, deployments, a, d, scale
            GET,    /apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode, get, rbac.authorization.k8s.io, v1, clusterroles, '', system:node, ''
            GET,    /api/v1/watch/pods,                                    watch,  '',   v1, pods, '', '', ''
            GET,    /api/v1/watch/namespaces/a/pods/x,                     watch,  '',   v1, pods, a, x, ''
            GET,    /api/v1/watch/namespaces/a,                            watch,  '',   v1, namespaces, '', a, ''
            GET,    /api/v1/pods?fieldSelector=metadata.name%3Dx,          list,   '',   v1, pods, '', x, ''
            GET,    '/api/v1/pods?fieldSelector=a=b,metadata.name==x&watch=1', watch, '', v1, pods, '', x, ''
            GET,    /api/v1/pods?fieldSelector=metadata.name!%3Dx,         list,   '',   v1, pods, '', '', ''
            """;

    @ParameterizedTest
    @CsvSource(textBlock = CSV)
    void findsWhatARequestIsAbout(
            String method,
            String address,
            String verb,
            String group,
            String version,
            String resource,
            String namespace,
            String name,
            String subresource) {
        var route = (Route.OnResource) route(method, address);

        assertThat(route.verb()).hasToString(verb);
        assertThat(route.target()).isEqualTo(new Target(group, version, resource, namespace, name, subresource));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api", "/api/v1", "/api/v1/", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz"})
    void takesOtherAddressesForPaths(String address) {
        assertThat(route("GET", address)).isInstanceOf(Route.OnPath.class);
    }

    @Test
    void passesTheRestOfAProxiedPathOn() {
        var route = (Route.OnResource) route("GET", "/api/v1/namespaces/a/pods/x/proxy/y//z?q=1");

        assertThat(route.params().text("path")).isEqualTo("y//z");
        assertThat(route.params().text("q")).isEqualTo("1");
        assertThat(route.isLongRunning()).isTrue();
    }

    @Test
    void selectsTheObjectNamedInAnOldWatchAddress() {
        var route = (Route.OnResource) route("GET", "/api/v1/watch/namespaces/a/pods/x");

        assertThat(route.params().text("fieldSelector")).isEqualTo("metadata.name=x");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/namespaces/a/pods/x",
        "PUT, /api/v1/namespaces/a/pods",
        "PATCH, /api/v1/pods",
        "OPTIONS, /api/v1/pods",
        "HEAD, /api/v1/pods",
        "POST, /api/v1/watch/pods"
    })
    void refusesMethodsThatMakeNoSense(String method, String address) {
        assertThatThrownBy(() -> route(method, address))
                .isInstanceOfSatisfying(
                        StatusError.class, error -> assertThat(error.code()).isEqualTo(405));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/../pods, 400",
        "/api/v1/namespaces/%2e%2e/pods, 400",
        "/api/v1/namespaces/%2E/pods, 400",
        "/api/v1/./pods, 400",
        "/api/v1/pods/a%00b, 400",
        "/api/v1/pods/a%0Ab, 400",
        "/api/v1/pods/a%2Fb, 400",
        "/api/v1/pods/a%5Cb, 400",
        "/api/v1/pods/a%252Fb, 400",
        "/api/v1/pods/%, 400",
        "/api/v1/pods/%zz, 400",
        "/api/v1/pods/%C3, 400",
        "/api/v1/pods/%FF%FE, 400",
        "//api/v1/pods, 404",
        "/api//v1/pods, 404",
        "/api/v1//pods, 404",
        "/api/v1/namespaces//pods, 404",
        "/api/v1/namespaces/a/pods/x/log/more, 404",
        "/clusters, 404",
        "/clusters/UPPER/api, 404"
    })
    void refusesPathsThatAreNotPlain(String address, int code) {
        assertThatThrownBy(() -> route("GET", address))
                .isInstanceOfSatisfying(
                        StatusError.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    @Test
    void refusesOverlongPaths() {
        assertThatThrownBy(() -> RequestPath.parse("/" + "a".repeat(10_000)))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void findsTheLogicalCluster() {
        var path = RequestPath.parse("/clusters/blue/api/v1/pods");

        assertThat(path.cluster()).contains(new LogicalCluster("blue"));
        assertThat(path.text()).isEqualTo("/api/v1/pods");
    }

    @Test
    void decodesQueries() {
        var params = Query.parse("labelSelector=a%3Db%2Cc&x=1+2&x=3&flag&=&");

        assertThat(params.text("labelSelector")).isEqualTo("a=b,c");
        assertThat(params.all("x")).containsExactly("1 2", "3");
        assertThat(params.flag("flag")).isTrue();
    }

    @Test
    void refusesEndlessQueries() {
        assertThatThrownBy(() -> Query.parse("a&".repeat(1000))).isInstanceOf(StatusError.class);
    }

    private static Route route(String method, String address) {
        int mark = address.indexOf('?');
        var params = mark < 0 ? Params.NONE : Query.parse(address.substring(mark + 1));
        return Route.of(method, RequestPath.parse(mark < 0 ? address : address.substring(0, mark)), params);
    }
}
