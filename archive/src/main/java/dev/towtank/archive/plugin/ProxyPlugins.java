package dev.towtank.archive.plugin;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.api.Response;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;

/// Leads to the server that has a workspace, with the identity of who asks.
public final class ProxyPlugins implements WebHandler {

    private static final String GROUP = "toolchain.dev.openshift.com";
    private static final long LARGEST = 16L << 20;
    /// The only thing that this server itself has behind a plugin.
    private static final String RESULTS = "tekton-results";

    public static final Kind<Json.Obj> PLUGIN = Kind.namespaced(GROUP, "v1alpha1", "ProxyPlugin", "proxyplugins");
    public static final Kind<Json.Obj> SPACE = Kind.namespaced(GROUP, "v1alpha1", "Space", "spaces");
    public static final Kind<Json.Obj> MEMBER =
            Kind.namespaced(GROUP, "v1alpha1", "ToolchainCluster", "toolchainclusters");

    private final Cache plugins;
    private final Cache spaces;
    private final Cache members;
    private final Rights rights;
    private final WebHandler results;
    private final Forwarding forwarding;

    /// Whether somebody may see a workspace.
    @FunctionalInterface
    public interface Rights {
        boolean maySee(WebRequest.Caller caller, Resource space);
    }

    /// @param results this server's own
    public ProxyPlugins(
            Cache plugins, Cache spaces, Cache members, Rights rights, WebHandler results, Forwarding forwarding) {
        this.plugins = plugins;
        this.spaces = spaces;
        this.members = members;
        this.rights = rights;
        this.results = results;
        this.forwarding = forwarding;
    }

    public Endpoint endpoint() {
        return new Endpoint(PluginPath.PREFIX, Endpoint.Access.AUTHENTICATED, LARGEST, this);
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException, InterruptedException {
        var caller = request.caller();
        if (caller.isEmpty() || !caller.get().cluster().equals(LogicalCluster.DEFAULT)) {
            return WebResponse.text(401, "who are you?\n");
        }
        try {
            var path = PluginPath.parse(request.path());
            var space = path.workspace().map(name -> space(name, caller.get()));
            var plugin = first(plugins, path.plugin());
            if (plugin.isEmpty()) {
                return noTarget("there is no ProxyPlugin " + path.plugin());
            }
            var target = plugin.get().spec().string("openShiftRouteTargetEndpoint", "name");
            var cluster = space.map(ProxyPlugins::cluster).orElse("");
            if (!cluster.isEmpty()) {
                var member = first(members, cluster);
                return member.isEmpty()
                        ? noTarget("there is no ToolchainCluster " + cluster)
                        : forwarding.forward(member.get(), path.rest(), request, caller.get());
            }
            return target.equals(RESULTS)
                    ? results.handle(at(request, path.rest()))
                    : noTarget("this server has nothing behind the route " + target);
        } catch (ArchiveRefusal e) {
            var answer = Response.of(e);
            return WebResponse.stream(
                    answer.status(), answer.contentType(), out -> answer.body().writeTo(out));
        } catch (Forbidden e) {
            return WebResponse.text(
                    403, "invalid workspace request: access to workspace '" + e.workspace + "' is forbidden\n");
        }
    }

    private static final class Forbidden extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String workspace;

        Forbidden(String workspace) {
            super(workspace, null, false, false);
            this.workspace = workspace;
        }
    }

    private static WebResponse noTarget(String why) {
        return WebResponse.text(500, "unable to get target cluster: " + why + "\n");
    }

    /// Nobody learns which workspaces there are.
    private Resource space(String name, WebRequest.Caller caller) {
        return first(spaces, name).filter(space -> rights.maySee(caller, space)).orElseThrow(() -> new Forbidden(name));
    }

    /// Where it is now, or where it shall be; empty for this server.
    private static String cluster(Resource space) {
        var now = space.status().string("targetCluster");
        return now.isEmpty() ? space.spec().string("targetCluster") : now;
    }

    private static Optional<Resource> first(Cache cache, String name) {
        return cache.list().stream()
                .filter(each -> each.cluster().equals(LogicalCluster.DEFAULT)
                        && each.name().equals(name))
                .min(Comparator.comparing(Resource::namespace));
    }

    private static WebRequest at(WebRequest request, String path) {
        return new WebRequest(
                request.method(),
                path,
                request.query(),
                request.headers(),
                request.body(),
                request.caller(),
                request.isSecure());
    }
}
