package dev.towtank.archive.service;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.api.Request;
import dev.towtank.archive.api.Response;
import dev.towtank.archive.api.ResultsApi;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The REST interface of Tekton Results at the API server's own address.
final class ResultsEndpoint implements WebHandler {

    static final String PREFIX = "/apis/results.tekton.dev/v1alpha2";
    private static final long LARGEST = 16L << 20;

    private final OpenArchive archive;
    private final Reviews reviews;
    private final ReadMetrics metrics;
    /// Page tokens do not outlive the process, as nobody turns pages that slowly.
    private final byte[] tokenKey = new byte[32];

    ResultsEndpoint(OpenArchive archive, Cluster cluster, ReadMetrics metrics) {
        this.metrics = metrics;
        this.archive = archive;
        this.reviews = new Reviews(cluster);
        new SecureRandom().nextBytes(tokenKey);
    }

    Endpoint endpoint() {
        return new Endpoint(PREFIX, Endpoint.Access.AUTHENTICATED, LARGEST, this);
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException {
        var begun = metrics.begun(request);
        var answer = answered(request);
        metrics.handled(request, answer.status(), begun);
        return answer;
    }

    private WebResponse answered(WebRequest request) throws IOException {
        var caller = request.caller();
        if (caller.map(who -> !who.cluster().equals(LogicalCluster.DEFAULT)).orElse(false)) {
            return of(Response.of(new ArchiveRefusal(
                    ArchiveRefusal.Code.NOT_FOUND, "only runs of the default cluster are archived")));
        }
        try {
            var body = new String(request.readBody(), StandardCharsets.UTF_8);
            var who = caller.map(known -> new Request.Caller(known.name(), "", known.groups(), Map.of()));
            return of(new ResultsApi(archive.archive(), reviews, tokenKey)
                    .handle(new Request(request.method(), decoded(request.path()), query(request.query()), body, who)));
        } catch (ArchiveRefusal e) {
            return of(Response.of(e));
        }
    }

    private static WebResponse of(Response response) {
        return WebResponse.stream(
                response.status(),
                response.contentType(),
                out -> response.body().writeTo(out));
    }

    private static Map<String, List<String>> query(String text) {
        var all = new HashMap<String, List<String>>();
        for (var pair : text.split("&", -1)) {
            int sign = pair.indexOf('=');
            if (sign > 0) {
                all.computeIfAbsent(decoded(pair.substring(0, sign)), _ -> new ArrayList<>())
                        .add(decoded(pair.substring(sign + 1)));
            }
        }
        return all;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ArchiveRefusal.invalid("the address has an escape that is none");
        }
    }
}
