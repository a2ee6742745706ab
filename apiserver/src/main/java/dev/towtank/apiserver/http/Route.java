package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What a request asks for, by its method, path and query. Same rules as Kubernetes' RequestInfo.
sealed interface Route {

    /// A resource. The parameters may hold more than the query did: what older forms of addresses say by path.
    record OnResource(Verb verb, Target target, Params params) implements Route {

        private static final Set<String> STREAMS = Set.of("attach", "exec", "portforward", "proxy");

        /// Not counted among, nor timed like, the requests that are expected to end soon.
        boolean isLongRunning() {
            return verb == Verb.WATCH
                    || STREAMS.contains(target.subresource())
                    || (target.subresource().equals("log") && params.flag("follow"));
        }
    }

    /// Any other path: health, discovery and so on.
    ///
    /// @param verb the method in lower case, as RBAC has it
    record OnPath(String verb, List<String> segments) implements Route {
        String path() {
            return "/" + String.join("/", segments);
        }
    }

    Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    Pattern NAME_TERM = Pattern.compile("metadata\\.name==?([^=!,\\\\]+)");

    /// @throws StatusError MethodNotAllowed when the method makes no sense for the address
    static Route of(String method, RequestPath path, Params params) {
        var segments = path.segments();
        boolean core = path.startsWith("api");
        int prefix = core ? 2 : 3;
        if (!(core || path.startsWith("apis")) || segments.size() <= prefix) {
            return new OnPath(method.toLowerCase(Locale.ROOT), segments);
        }
        var group = core ? "" : segments.get(1);
        return onResource(method, group, segments.get(prefix - 1), segments.subList(prefix, segments.size()), params);
    }

    private static Route onResource(String method, String group, String version, List<String> path, Params params) {
        var parts = path;
        boolean watchByPath = parts.getFirst().equals("watch") && parts.size() > 1;
        if (watchByPath) {
            parts = parts.subList(1, parts.size());
        }
        var namespace = "";
        if (parts.getFirst().equals("namespaces")
                && parts.size() > 2
                && !NAMESPACE_SUBRESOURCES.contains(parts.get(2))) {
            namespace = parts.get(1);
            parts = parts.subList(2, parts.size());
        }
        var name = parts.size() > 1 ? parts.get(1) : "";
        var subresource = parts.size() > 2 ? parts.get(2) : "";
        var rest = parts.size() > 3 ? String.join("/", parts.subList(3, parts.size())) : "";
        if (!rest.isEmpty() && !subresource.equals("proxy")) {
            throw NotServed.error();
        }
        var verb = watchByPath ? watchVerb(method) : verb(method, name, subresource, params);
        var selected = name.isEmpty() ? selectedName(verb, params) : Optional.<String>empty();
        var more = rest.isEmpty() ? params : with(params, "path", rest);
        if (verb == Verb.WATCH && !name.isEmpty()) {
            more = with(more, "fieldSelector", "metadata.name=" + name);
        }
        var target = new Target(group, version, parts.getFirst(), namespace, selected.orElse(name), subresource);
        return new OnResource(verb, target, more);
    }

    private static Verb watchVerb(String method) {
        if (!method.equals("GET")) {
            throw NotServed.method();
        }
        return Verb.WATCH;
    }

    private static Verb verb(String method, String name, String subresource, Params params) {
        boolean named = !name.isEmpty();
        return switch (method) {
            case "HEAD" -> allowedIf(subresource.equals("proxy"), Verb.GET);
            case "GET" -> named ? Verb.GET : params.flag("watch") ? Verb.WATCH : Verb.LIST;
            case "POST" -> allowedIf(!named || !subresource.isEmpty(), Verb.CREATE);
            case "PUT" -> allowedIf(named, Verb.UPDATE);
            case "PATCH" -> allowedIf(named, Verb.PATCH);
            case "DELETE" -> named ? Verb.DELETE : Verb.DELETECOLLECTION;
            default -> throw NotServed.method();
        };
    }

    private static Verb allowedIf(boolean allowed, Verb verb) {
        if (!allowed) {
            throw NotServed.method();
        }
        return verb;
    }

    /// A list or watch that selects one object by name is authorized like a request for that object.
    private static Optional<String> selectedName(Verb verb, Params params) {
        if (verb != Verb.LIST && verb != Verb.WATCH) {
            return Optional.empty();
        }
        for (var term : params.text("fieldSelector").split(",", -1)) {
            var matcher = NAME_TERM.matcher(term.strip());
            if (matcher.matches() && isSegment(matcher.group(1))) {
                return Optional.of(matcher.group(1));
            }
        }
        return Optional.empty();
    }

    private static boolean isSegment(String name) {
        return !name.equals(".") && !name.equals("..") && name.indexOf('/') < 0 && name.indexOf('%') < 0;
    }

    private static Params with(Params params, String name, String value) {
        Map<String, List<String>> values = new LinkedHashMap<>(params.values());
        values.put(name, List.of(value));
        return new Params(values);
    }
}
