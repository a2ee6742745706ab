package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Rules;

/// Kinds and objects that the tests of this package share.
public final class Things {

    public static final Kind<Json.Obj> MAPS = Kind.namespaced("", "v1", "ConfigMap", "configmaps");
    public static final Kind<Json.Obj> SECRETS = Kind.namespaced("", "v1", "Secret", "secrets");
    public static final Kind<ThingReconciler.Thing> THINGS = Kind.namespaced("example.com", "v1", "Thing", "things")
            .withStatus()
            .withRules(new Rules() {
                @Override
                public boolean countsGenerations() {
                    return true;
                }
            })
            .readAs(ThingReconciler.Thing.class);

    private Things() {}

    public static Resource of(Kind<?> kind, String name, String fields) {
        var metadata = Json.Obj.of("name", Json.of(name), "namespace", Json.of("n"));
        var json = Json.Obj.builder()
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.kind())
                .put("metadata", metadata);
        JsonText.parseObject(fields).forEach(json::put);
        return Resource.of(json.build());
    }

    public static Resource owned(Resource child, Resource owner) {
        var metadata = child.metadata()
                .with("ownerReferences", Json.Arr.of(owner.asOwner(true).json()));
        return child.with(child.json().with("metadata", metadata));
    }
}
