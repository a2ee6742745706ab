package dev.towtank.controllers.builds.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

/// The kinds of builds and images.
public final class BuildKinds {

    public static final String BUILD_GROUP = "build.openshift.io";
    public static final String IMAGE_GROUP = "image.openshift.io";

    public static final Kind<Json.Obj> CONFIG =
            Kind.namespaced(BUILD_GROUP, "v1", "BuildConfig", "buildconfigs").withStatus();
    public static final Kind<Json.Obj> BUILD =
            Kind.namespaced(BUILD_GROUP, "v1", "Build", "builds").withStatus();
    public static final Kind<Json.Obj> STREAM =
            Kind.namespaced(IMAGE_GROUP, "v1", "ImageStream", "imagestreams").withStatus();
    public static final Kind<Json.Obj> TAG = Kind.namespaced(IMAGE_GROUP, "v1", "ImageStreamTag", "imagestreamtags");

    /// Names of OpenShift's own registry, as pods write them.
    public static final List<String> REGISTRIES = List.of(
            "image-registry.openshift-image-registry.svc:5000",
            "image-registry.openshift-image-registry.svc.cluster.local:5000");

    /// The condition of a BuildConfig that tells of its newest build: true when it is complete, false when it failed.
    public static final String LATEST = "LatestBuild";

    private BuildKinds() {}

    /// How pods name what a stream has.
    ///
    /// @param version a tag or a digest, with the sign before it
    public static String reference(String namespace, String stream, String version) {
        return REGISTRIES.getFirst() + "/" + namespace + "/" + stream + version;
    }
}
