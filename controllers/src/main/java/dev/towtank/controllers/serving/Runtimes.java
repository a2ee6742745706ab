package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which ServingRuntime serves a model, by KServe's rules.
///
/// @param namespaced those of the InferenceService's namespace, which come first
record Runtimes(List<Resource> namespaced, List<Resource> clusterWide) {

    Runtimes {
        namespaced = List.copyOf(namespaced);
        clusterWide = List.copyOf(clusterWide);
    }

    sealed interface Choice {

        record Found(Resource runtime, boolean isClusterWide) implements Choice {}

        /// @param reason as in `modelStatus.lastFailureInfo`
        record None(String reason, String message) implements Choice {}
    }

    Choice choose(Json.Obj model) {
        var name = model.string("runtime");
        return name.isEmpty() ? best(model) : named(name, model);
    }

    private Choice named(String name, Json.Obj model) {
        var found = find(name);
        if (!(found instanceof Choice.Found(var runtime, var _))) {
            return found;
        }
        var spec = runtime.spec();
        if (spec.flag("disabled")) {
            return new Choice.None("RuntimeDisabled", "Specified runtime is disabled");
        }
        if (!speaks(spec, model.string("protocolVersion"))) {
            return new Choice.None(
                    "NoSupportingRuntime", "Specified runtime does not support specified protocol version");
        }
        return spec.flag("multiModel") || format(spec, model).findAny().isEmpty()
                ? new Choice.None(
                        "NoSupportingRuntime", "Specified runtime does not support specified framework/version")
                : found;
    }

    private Choice find(String name) {
        return named(namespaced, name)
                .<Choice>map(runtime -> new Choice.Found(runtime, false))
                .or(() -> named(clusterWide, name).map(runtime -> new Choice.Found(runtime, true)))
                .orElseGet(() -> new Choice.None("RuntimeNotRecognized", "Waiting for runtime to become available"));
    }

    private static Optional<Resource> named(List<Resource> runtimes, String name) {
        return runtimes.stream().filter(runtime -> runtime.name().equals(name)).findFirst();
    }

    private Choice best(Json.Obj model) {
        return best(namespaced, model)
                .<Choice>map(runtime -> new Choice.Found(runtime, false))
                .or(() -> best(clusterWide, model).map(runtime -> new Choice.Found(runtime, true)))
                .orElseGet(() -> new Choice.None(
                        "NoSupportingRuntime", "No runtime found to support specified framework/version"));
    }

    private static Optional<Resource> best(List<Resource> runtimes, Json.Obj model) {
        var protocol = model.string("protocolVersion");
        return runtimes.stream()
                .filter(runtime ->
                        !runtime.spec().flag("disabled") && !runtime.spec().flag("multiModel"))
                .filter(runtime -> speaks(runtime.spec(), protocol.isEmpty() ? "v1" : protocol))
                .filter(runtime -> priority(runtime, model) >= 0)
                .min(Comparator.<Resource>comparingLong(runtime -> -priority(runtime, model))
                        .thenComparing(Resource::name));
    }

    private static long priority(Resource runtime, Json.Obj model) {
        return format(runtime.spec(), model)
                .filter(format -> format.flag("autoSelect"))
                .mapToLong(format -> format.integer("priority"))
                .max()
                .orElse(-1);
    }

    private static boolean speaks(Json.Obj spec, String protocol) {
        var spoken = spec.array("protocolVersions").strings();
        return protocol.isEmpty() || spoken.isEmpty() || spoken.contains(protocol);
    }

    private static Stream<Json.Obj> format(Json.Obj spec, Json.Obj model) {
        var name = model.string("modelFormat", "name");
        var version = model.string("modelFormat", "version");
        return spec.objects("supportedModelFormats").stream()
                .filter(format -> format.string("name").equals(name))
                .filter(format -> version.isEmpty() || format.string("version").equals(version));
    }
}
