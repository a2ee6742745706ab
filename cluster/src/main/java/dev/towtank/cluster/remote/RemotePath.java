package dev.towtank.cluster.remote;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Where in the API a request goes: path and query.
record RemotePath(String path, Map<String, String> query) {

    RemotePath {
        query = Map.copyOf(query);
    }

    static RemotePath of(Kind<?> kind, ObjectName name) {
        var all = ofAll(kind, name.cluster(), name.namespace());
        if (name.name().isEmpty()) {
            // It would be the whole collection.
            throw StatusError.badRequest("a name is required to address one of " + kind.resource());
        }
        return new RemotePath(all.path + "/" + encoded(name.name()), Map.of());
    }

    static RemotePath of(Kind<?> kind, Selection selection) {
        return ofAll(
                        kind,
                        selection.cluster().orElse(LogicalCluster.DEFAULT),
                        selection.namespace().orElse(""))
                .with("labelSelector", selection.labels())
                .with("fieldSelector", selection.fields());
    }

    static RemotePath ofAll(Kind<?> kind, LogicalCluster cluster, String namespace) {
        if (!cluster.equals(LogicalCluster.DEFAULT)) {
            throw StatusError.badRequest("a remote cluster has no logical cluster \"" + cluster + "\"");
        }
        var group = kind.group().isEmpty() ? "api/" + kind.version() : "apis/" + kind.apiVersion();
        var place = namespace.isEmpty() ? "" : "/namespaces/" + encoded(namespace);
        return new RemotePath(group + place + "/" + kind.plural(), Map.of());
    }

    /// Empty values are left out.
    RemotePath with(String name, String value) {
        if (value.isEmpty()) {
            return this;
        }
        var more = new TreeMap<>(query);
        more.put(name, value);
        return new RemotePath(path, more);
    }

    RemotePath with(Cluster.WriteOptions options) {
        var part = options.subresource().isEmpty() ? path : path + "/" + encoded(options.subresource());
        return new RemotePath(part, query)
                .with("fieldManager", options.fieldManager())
                .with("dryRun", options.dryRun() ? "All" : "")
                .with("force", options.force() ? "true" : "")
                .with("fieldValidation", options.strict() ? "Strict" : "");
    }

    /// @param base the address of the server, with a slash at its end
    String url(String base) {
        var parameters = new TreeMap<>(query)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                        .collect(Collectors.joining("&"));
        return base + path + (parameters.isEmpty() ? "" : "?" + parameters);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
