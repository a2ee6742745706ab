package dev.towtank.controllers.secrets.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.RemoteServer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/// Objects of any kind, for which nobody keeps a cache: read as any client reads them, with a token of the account that
/// a store names, so that what the account may not see stays hidden whoever asks.
///
/// @param cluster has the certificates by which the server is known
/// @param address of the API server, once it listens
public record AnyObjects(Web web, Cluster cluster, Supplier<URI> address) {

    private static final String AUTHORITY = "kube-root-ca.crt";

    public Optional<Json.Obj> find(WebCall.Account account, Kind<?> kind, ObjectName name)
            throws IOException, InterruptedException {
        try {
            var call = WebCall.of("GET", address.get() + path(kind, name))
                    .over(new WebCall.Tls(authority(account), "", ""))
                    .as(Optional.of(account));
            var answer = web.send(call);
            if (answer.status() == 404) {
                return Optional.empty();
            }
            if (!answer.isGood()) {
                throw new IOException(RemoteServer.refusal(answer).text());
            }
            return answer.json() instanceof Json.Obj object ? Optional.of(object) : Optional.empty();
        } catch (StatusError e) {
            throw new IOException(e.text(), e);
        }
    }

    private String authority(WebCall.Account account) {
        return cluster.get(ConfigMaps.KIND, new ObjectName(account.cluster(), account.namespace(), AUTHORITY))
                .map(map -> map.json().object("data").string("ca.crt"))
                .orElse("");
    }

    /// Names were checked when their objects were made, or else nothing has them; escapes keep them in their places.
    private static String path(Kind<?> kind, ObjectName name) {
        var cluster = name.cluster().equals(LogicalCluster.DEFAULT) ? "" : "/clusters/" + name.cluster();
        var group = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
        var namespace = kind.isNamespaced() ? "/namespaces/" + escaped(name.namespace()) : "";
        return cluster + group + kind.version() + namespace + "/" + kind.plural() + "/" + escaped(name.name());
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace(".", "%2E");
    }
}
