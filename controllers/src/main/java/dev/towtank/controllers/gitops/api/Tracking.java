package dev.towtank.controllers.gitops.api;

import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;

/// How an object tells which Application it belongs to: by an annotation that names the object as well, so that one
/// that
/// was copied to another object means nothing there.
public final class Tracking {

    public static final String ANNOTATION = "argocd.argoproj.io/tracking-id";

    private Tracking() {}

    /// @param application its namespace is part of its name, but for the usual one
    public static String id(ObjectName application, ResourceKey key) {
        return instance(application) + ":" + key.group() + "/" + key.kind() + ":" + key.namespace() + "/" + key.name();
    }

    private static String instance(ObjectName application) {
        return application.namespace().equals(GitOpsKinds.NAMESPACE)
                ? application.name()
                : application.namespace() + "_" + application.name();
    }

    public static Json.Obj marked(Json.Obj object, ObjectName application) {
        return object.with(
                List.of("metadata", "annotations", ANNOTATION), Json.of(id(application, ResourceKey.of(object))));
    }

    public static boolean belongs(Json.Obj object, ObjectName application) {
        return object.string("metadata", "annotations", ANNOTATION).equals(id(application, ResourceKey.of(object)));
    }

    /// Whether the mark was made for another object.
    public static boolean isCopied(Json.Obj object) {
        var id = object.string("metadata", "annotations", ANNOTATION);
        var key = ResourceKey.of(object);
        return !id.isEmpty()
                && !id.endsWith(":" + key.group() + "/" + key.kind() + ":" + key.namespace() + "/" + key.name());
    }

    /// The Application that an object is marked with, whether or not the mark was copied.
    public static Optional<ObjectName> application(LogicalCluster cluster, Json.Obj object) {
        var id = object.string("metadata", "annotations", ANNOTATION);
        int colon = id.indexOf(':');
        if (colon <= 0) {
            return Optional.empty();
        }
        var instance = id.substring(0, colon);
        int bar = instance.indexOf('_');
        return Optional.of(
                bar < 0
                        ? new ObjectName(cluster, GitOpsKinds.NAMESPACE, instance)
                        : new ObjectName(cluster, instance.substring(0, bar), instance.substring(bar + 1)));
    }
}
