package dev.towtank.controllers.builds;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;

/// A Build of a BuildConfig.
///
/// @param cause for people, such as `Build configuration change`
/// @param image the digest that set it off; empty where none did
/// @param secret the state of the Secret that it fetches its source with; empty where there is none
record NewBuild(Resource config, long number, String cause, String image, String secret) {

    static final String CONFIG_LABEL = "buildconfig";
    static final String NUMBER = "openshift.io/build.number";
    /// Of which state of its BuildConfig a build is.
    static final String GENERATION = "towtank.dev/buildconfig-generation";
    static final String SECRET = "towtank.dev/source-secret-version";

    private static final List<String> COPIED = List.of(
            "serviceAccount",
            "source",
            "revision",
            "strategy",
            "output",
            "resources",
            "completionDeadlineSeconds",
            "nodeSelector");

    static long number(Resource build) {
        try {
            return Long.parseLong(build.annotations().getOrDefault(NUMBER, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    Resource object() {
        var spec = Json.Obj.builder();
        for (var field : COPIED) {
            var value = config.spec().get(field);
            if (value != null) {
                spec.put(field, value);
            }
        }
        var trigger = image.isEmpty()
                ? Json.Obj.of("message", Json.of(cause))
                : Json.Obj.of("message", Json.of(cause), "imageChangeBuild", Json.Obj.of("imageID", Json.of(image)));
        spec.put("triggeredBy", Json.Arr.of(trigger));
        var name = config.name() + "-" + number;
        var annotations = Map.of(
                "openshift.io/build-config.name",
                config.name(),
                NUMBER,
                Long.toString(number),
                GENERATION,
                Long.toString(config.generation()),
                SECRET,
                secret);
        var labels = Map.of(
                CONFIG_LABEL,
                config.name(),
                "openshift.io/build-config.name",
                config.name(),
                "openshift.io/build.start-policy",
                policy(config));
        return new Resource(
                config.cluster(),
                Json.Obj.builder()
                        .put("apiVersion", BuildKinds.BUILD.apiVersion())
                        .put("kind", BuildKinds.BUILD.kind())
                        .put(
                                "metadata",
                                Json.Obj.builder()
                                        .put("name", name)
                                        .put("namespace", config.namespace())
                                        .put("labels", Json.Obj.ofStrings(labels))
                                        .put("annotations", Json.Obj.ofStrings(annotations))
                                        .put(
                                                "ownerReferences",
                                                Json.Arr.of(config.asOwner(true).json()))
                                        .build())
                        .put("spec", spec.build())
                        .build());
    }

    static String policy(Resource config) {
        var policy = config.spec().string("runPolicy");
        return policy.isEmpty() ? "Serial" : policy;
    }
}
