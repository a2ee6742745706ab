package dev.towtank.app.applications.foresight;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.Secrets;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What ExternalSecrets read out of Secrets of a cluster, where the Secret or its key is not there.
final class SecretSources {

    private final Scene scene;

    private SecretSources(Scene scene) {
        this.scene = scene;
    }

    static Stream<Omen> in(Scene scene) {
        var sources = new SecretSources(scene);
        return scene.all(SecretKinds.EXTERNAL_SECRET).flatMap(sources::of);
    }

    private Stream<Omen> of(Scene.Part part) {
        var spec = part.spec();
        return Stream.concat(
                        spec.objects("data").stream()
                                .map(each -> omen(part, store(part, each), each.object("remoteRef"))),
                        spec.objects("dataFrom").stream()
                                .filter(each -> each.has("extract"))
                                .map(each -> omen(part, store(part, each), each.object("extract"))))
                .flatMap(Optional::stream);
    }

    /// An entry may have a store of its own.
    private Optional<Json.Obj> store(Scene.Part part, Json.Obj entry) {
        var own = entry.object("sourceRef", "storeRef");
        var reference = own.size() == 0 ? part.spec().object("secretStoreRef") : own;
        return reference.string("kind").equals(SecretKinds.CLUSTER_SECRET_STORE.kind())
                ? scene.find(SecretKinds.CLUSTER_SECRET_STORE, "", reference.string("name"))
                : scene.find(SecretKinds.SECRET_STORE, part.key().namespace(), reference.string("name"));
    }

    private Optional<Omen> omen(Scene.Part part, Optional<Json.Obj> store, Json.Obj wanted) {
        var provider =
                store.map(it -> it.object("spec", "provider", "kubernetes")).filter(it -> it.size() > 0 && isHere(it));
        if (provider.isEmpty()) {
            return Optional.empty();
        }
        var told = provider.get().string("remoteNamespace");
        var namespace = told.isEmpty() ? "default" : told;
        var name = wanted.string("key");
        var key = wanted.string("property");
        var place = "Secret " + namespace + "/" + name;
        var secret = scene.find(Secrets.KIND, namespace, name);
        if (secret.isPresent()) {
            var keys = keys(secret.get());
            return key.isEmpty() || keys.contains(key)
                    ? Optional.empty()
                    : Optional.of(Omen.fails(part.title() + " will fail: " + place + ", out of which it reads " + key
                            + ", has " + (keys.isEmpty() ? "no keys" : "only " + String.join(", ", keys)) + "."));
        }
        if (isMade(namespace, name)) {
            return Optional.empty();
        }
        return Optional.of(
                scene.world().isWhole()
                        ? Omen.fails(part.title() + " will fail: there is no " + place + ", out of which it reads "
                                + (key.isEmpty() ? "all" : key) + ".")
                        : Omen.needs(place + (key.isEmpty() ? "" : " with the key " + key) + ", for " + part.title()));
    }

    /// A store of another server holds what nobody here knows.
    private static boolean isHere(Json.Obj provider) {
        var url = provider.string("server", "url");
        return !provider.has("authRef") && (url.isEmpty() || url.matches("(https://)?kubernetes\\.default.*"));
    }

    /// By something else of the same sync, which tells only later what is in it.
    private boolean isMade(String namespace, String name) {
        return Stream.of(SecretKinds.EXTERNAL_SECRET.kind(), "ObjectBucketClaim")
                .anyMatch(kind -> scene.parts().stream()
                        .filter(part -> part.key().kind().equals(kind)
                                && part.key().namespace().equals(namespace))
                        .anyMatch(part -> part.key().name().equals(name)
                                || part.spec().string("target", "name").equals(name)));
    }

    private static Set<String> keys(Json.Obj secret) {
        var keys = new TreeSet<>(secret.object("data").keys());
        keys.addAll(secret.object("stringData").keys());
        return keys;
    }
}
