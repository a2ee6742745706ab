package dev.towtank.controllers.builds.source;

import dev.towtank.cluster.AccessReview;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/// What `oc start-build` and `oc logs` ask for, which is no object: to start a build, and what one has written.
public final class BuildRequests {

    private static final String BASE = "/apis/" + BuildKinds.BUILD_GROUP + "/v1/namespaces/*/";
    /// Starts a build.
    public static final String INSTANTIATE = BASE + "buildconfigs/*/instantiate";
    /// Starts one of files of the caller's, which is not served.
    public static final String INSTANTIATE_BINARY = BASE + "buildconfigs/*/instantiatebinary";
    /// Starts a build like an earlier one.
    public static final String CLONE = BASE + "builds/*/clone";
    /// What a build has written.
    public static final String LOG = BASE + "builds/*/log";

    private static final int TRIES = 5;
    private static final List<String> REFUSED = List.of("binary", "from", "triggeredByImage", "lastVersion");
    // `oc` always sends these two, and leaves them empty where nobody asks for anything.
    private static final Map<String, Set<String>> SERVED =
            Map.of("sourceStrategyOptions", Set.of(), "dockerStrategyOptions", Set.of("buildArgs"));

    private final Cluster cluster;
    private final BuildLogs logs;
    private final BiFunction<Resource, Long, Resource> builds;

    /// @param builds makes a build of a BuildConfig, with a number
    public BuildRequests(Cluster cluster, BuildLogs logs, BiFunction<Resource, Long, Resource> builds) {
        this.cluster = cluster;
        this.logs = logs;
        this.builds = builds;
    }

    public WebResponse answer(WebRequest request) throws IOException {
        try {
            var steps = List.of(request.path().split("/", -1));
            var namespace = decoded(steps.get(5));
            var name = decoded(steps.get(7));
            return switch (steps.get(8)) {
                case "instantiate" -> instantiated(request, namespace, name);
                case "clone" -> cloned(request, namespace, name);
                case "log" -> log(request, namespace, name);
                default ->
                    throw StatusError.badRequest(
                            "builds of files that a client sends (--from-dir, --from-file, --from-archive) are not served:"
                                    + " commit them, and name the commit with --commit");
            };
        } catch (StatusError e) {
            return WebResponse.json(e.code(), e.toJson());
        }
    }

    private static String decoded(String step) {
        return URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private void check(WebRequest request, AccessReview review, Kind<?> kind) {
        var caller = request.caller().orElseThrow();
        if (!review.allows(cluster, caller)) {
            throw StatusError.forbidden(kind.resource(), review.name(), review.refusal(caller));
        }
    }

    private static void require(WebRequest request, String method, Kind<?> kind) {
        if (!request.method().equals(method)) {
            throw StatusError.methodNotSupported(kind.resource(), request.method());
        }
    }

    private WebResponse instantiated(WebRequest request, String namespace, String name) throws IOException {
        require(request, "POST", BuildKinds.CONFIG);
        check(
                request,
                new AccessReview("create", BuildKinds.BUILD_GROUP, "buildconfigs/instantiate", namespace, name),
                BuildKinds.CONFIG);
        var config = cluster.get(
                        BuildKinds.CONFIG,
                        new ObjectName(request.caller().orElseThrow().cluster(), namespace, name))
                .orElseThrow(() -> StatusError.notFound(BuildKinds.CONFIG.resource(), name));
        return made(config, body(request), Json.Obj.EMPTY);
    }

    /// The same once more: what the earlier build was made of counts, not what its configuration says by now.
    private WebResponse cloned(WebRequest request, String namespace, String name) throws IOException {
        require(request, "POST", BuildKinds.BUILD);
        check(
                request,
                new AccessReview("create", BuildKinds.BUILD_GROUP, "builds/clone", namespace, name),
                BuildKinds.BUILD);
        var home = request.caller().orElseThrow().cluster();
        var build = cluster.get(BuildKinds.BUILD, new ObjectName(home, namespace, name))
                .orElseThrow(() -> StatusError.notFound(BuildKinds.BUILD.resource(), name));
        var owner = build.annotations().getOrDefault("openshift.io/build-config.name", "");
        var config = cluster.get(BuildKinds.CONFIG, new ObjectName(home, namespace, owner))
                .orElseThrow(() -> StatusError.badRequest(
                        "the BuildConfig of build " + name + " is gone, and builds without one are not served"));
        return made(config, body(request), build.spec());
    }

    /// @param spec of the build, where it is not that of its configuration
    private WebResponse made(Resource config, Json.Obj wishes, Json.Obj spec) {
        refuse(wishes);
        long number = config.status().integer("lastVersion");
        for (int i = 0; i < TRIES; i++) {
            try {
                var fresh = builds.apply(config, ++number);
                var build = wished(
                        spec.size() == 0 ? fresh : fresh.with(fresh.json().with("spec", spec)), wishes);
                var made = cluster.create(BuildKinds.BUILD, build, Cluster.WriteOptions.DEFAULT);
                return WebResponse.json(201, made.json());
            } catch (StatusError e) {
                if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                    throw e;
                }
            }
        }
        throw StatusError.conflict(
                BuildKinds.CONFIG.resource(), config.name(), "others start builds at the same time; try again");
    }

    private static void refuse(Json.Obj wishes) {
        var refused = new ArrayList<>(REFUSED.stream().filter(wishes::has).toList());
        SERVED.forEach((field, served) -> wishes.object(field).keys().stream()
                .filter(each -> !served.contains(each))
                .forEach(each -> refused.add(field + "." + each)));
        if (!refused.isEmpty()) {
            throw StatusError.badRequest(
                    "the field " + refused.getFirst() + " of a BuildRequest is not served: leave it out");
        }
    }

    private static Json.Obj body(WebRequest request) throws IOException {
        try {
            var bytes = request.readBody();
            return bytes.length == 0 ? Json.Obj.EMPTY : JsonText.parseObject(bytes);
        } catch (JsonText.Malformed e) {
            throw StatusError.badRequest("the body must be a BuildRequest in JSON: " + e.getMessage());
        }
    }

    private static Resource wished(Resource build, Json.Obj wishes) {
        var spec = build.spec();
        var strategy = spec.object("strategy").has("sourceStrategy") ? "sourceStrategy" : "dockerStrategy";
        if (!wishes.objects("env").isEmpty()) {
            spec = spec.with(
                    List.of("strategy", strategy, "env"),
                    joined(spec.array("strategy", strategy, "env"), wishes.array("env")));
        }
        var arguments = wishes.array("dockerStrategyOptions", "buildArgs");
        if (arguments.size() > 0) {
            spec = spec.with(
                    List.of("strategy", strategy, "buildArgs"),
                    joined(spec.array("strategy", strategy, "buildArgs"), arguments));
        }
        if (!wishes.string("revision", "git", "commit").isEmpty()) {
            spec = spec.with("revision", wishes.object("revision"));
        }
        if (wishes.array("triggeredBy").size() > 0) {
            spec = spec.with("triggeredBy", wishes.array("triggeredBy"));
        }
        return build.with(build.json().with("spec", spec));
    }

    private static Json.Arr joined(Json.Arr some, Json.Arr more) {
        var all = new ArrayList<Json>(some.objects());
        all.addAll(more.objects());
        return new Json.Arr(all);
    }

    private WebResponse log(WebRequest request, String namespace, String name) throws IOException {
        require(request, "GET", BuildKinds.BUILD);
        check(
                request,
                new AccessReview("get", BuildKinds.BUILD_GROUP, "builds/log", namespace, name),
                BuildKinds.BUILD);
        var build = cluster.get(
                        BuildKinds.BUILD,
                        new ObjectName(request.caller().orElseThrow().cluster(), namespace, name))
                .orElseThrow(() -> StatusError.notFound(BuildKinds.BUILD.resource(), name));
        var text = logs.read(build.uid());
        return text.map(bytes -> WebResponse.of(200, "text/plain; charset=utf-8", bytes))
                .orElse(WebResponse.text(200, ""));
    }
}
