package dev.towtank.apiserver.audit;

import dev.towtank.apiserver.Target;
import dev.towtank.model.LogicalCluster;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/// The address of a request as it is written down.
final class AuditUri {

    private static final int LONGEST = 4096;

    /// What Kubernetes asks in queries. Anything else (the command of an exec, a token of somebody else's) may be a
    /// secret and is left out.
    private static final Set<String> KNOWN = Set.of(
            "allowWatchBookmarks",
            "container",
            "continue",
            "dryRun",
            "exclude",
            "fieldManager",
            "fieldSelector",
            "fieldValidation",
            "follow",
            "force",
            "gracePeriodSeconds",
            "labelSelector",
            "limit",
            "limitBytes",
            "orphanDependents",
            "ports",
            "pretty",
            "previous",
            "propagationPolicy",
            "resourceVersion",
            "resourceVersionMatch",
            "sendInitialEvents",
            "sinceSeconds",
            "sinceTime",
            "stderr",
            "stdin",
            "stdout",
            "tailLines",
            "timeout",
            "timeoutSeconds",
            "timestamps",
            "tty",
            "verbose",
            "watch");

    private AuditUri() {}

    static String of(AuditEvent event) {
        var uri = event.origin().uri();
        var target = event.target();
        if (!uri.isEmpty()) {
            return shown(uri);
        }
        return target == null ? "" : path(event.cluster(), target);
    }

    private static String shown(String uri) {
        int question = uri.indexOf('?');
        var shown = question < 0 ? uri : uri.substring(0, question) + query(uri.substring(question + 1));
        return shown.length() > LONGEST ? shown.substring(0, LONGEST) + "..." : shown;
    }

    private static String query(String query) {
        var kept = Arrays.stream(query.split("&", -1))
                .filter(pair -> KNOWN.contains(pair.substring(0, Math.max(0, nameEnd(pair)))))
                .collect(Collectors.joining("&"));
        return kept.isEmpty() ? "" : "?" + kept;
    }

    private static int nameEnd(String pair) {
        int equals = pair.indexOf('=');
        return equals < 0 ? pair.length() : equals;
    }

    private static String path(LogicalCluster cluster, Target target) {
        var path = new StringBuilder();
        if (!cluster.equals(LogicalCluster.DEFAULT) && !cluster.equals(LogicalCluster.ALL)) {
            path.append("/clusters/").append(cluster.id());
        }
        path.append(target.group().isEmpty() ? "/api/" : "/apis/").append(target.apiVersion());
        if (!target.namespace().isEmpty()) {
            path.append("/namespaces/").append(target.namespace());
        }
        path.append('/').append(target.resource());
        if (!target.name().isEmpty()) {
            path.append('/').append(target.name());
        }
        if (!target.subresource().isEmpty()) {
            path.append('/').append(target.subresource());
        }
        return path.toString();
    }
}
