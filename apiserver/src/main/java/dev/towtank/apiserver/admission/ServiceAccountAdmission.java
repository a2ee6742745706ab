package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Every pod runs as a service account, and finds its token where every client looks for it.
public final class ServiceAccountAdmission implements Admission {

    public static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

    private static final String VOLUME_PREFIX = "kube-api-access-";
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final String MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

    private final Store store;
    private final RandomGenerator random;

    /// @param random makes up the names of volumes
    public ServiceAccountAdmission(Store store, RandomGenerator random) {
        this.store = store;
        this.random = random;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (!createsPod(review) || isMirror(object)) {
            return object;
        }
        var pod = object;
        if (pod.string("spec", "serviceAccountName").isEmpty()) {
            pod = pod.with(List.of("spec", "serviceAccountName"), Json.of("default"))
                    .with(List.of("spec", "serviceAccount"), Json.of("default"));
        }
        var account = account(review, pod);
        if (automounts(account, pod)) {
            pod = withToken(pod);
        }
        return withPullSecrets(pod, account);
    }

    @Override
    public void check(Review review) {
        var pod = review.object();
        if (pod == null || !createsPod(review)) {
            return;
        }
        if (isMirror(pod)) {
            if (!pod.string("spec", "serviceAccountName").isEmpty()) {
                throw review.forbidden("a mirror pod may not reference service accounts");
            }
            return;
        }
        if (pod.string("spec", "serviceAccountName").isEmpty()) {
            throw review.forbidden("no service account specified for pod " + review.namespace() + "/"
                    + pod.string("metadata", "name"));
        }
        account(review, pod);
    }

    private static boolean createsPod(Review review) {
        return review.operation() == Review.Operation.CREATE && review.isWholeObject("", "Pod");
    }

    private static boolean isMirror(Json.Obj pod) {
        return pod.object("metadata", "annotations").has(MIRROR_ANNOTATION);
    }

    private Json.Obj account(Review review, Json.Obj pod) {
        var name = pod.string("spec", "serviceAccountName");
        var key = new Key(new GroupResource("", "serviceaccounts"), review.cluster(), review.namespace(), name);
        var account = store.get(key);
        if (account == null) {
            throw review.forbidden("error looking up service account " + review.namespace() + "/" + name
                    + ": serviceaccount \"" + name + "\" not found");
        }
        return account.tree();
    }

    private static boolean automounts(Json.Obj account, Json.Obj pod) {
        if (pod.at("spec", "automountServiceAccountToken") instanceof Json.Bool(var asked)) {
            return asked;
        }
        return !(account.get("automountServiceAccountToken") instanceof Json.Bool(var usual)) || usual;
    }

    private static Json.Obj withPullSecrets(Json.Obj pod, Json.Obj account) {
        var secrets = account.array("imagePullSecrets");
        return secrets.size() == 0 || pod.array("spec", "imagePullSecrets").size() > 0
                ? pod
                : pod.with(List.of("spec", "imagePullSecrets"), secrets);
    }

    private Json.Obj withToken(Json.Obj pod) {
        var present = pod.objects("spec", "volumes").stream()
                .map(volume -> volume.string("name"))
                .filter(name -> name.startsWith(VOLUME_PREFIX))
                .findFirst();
        var volume = present.orElseGet(() -> VOLUME_PREFIX + suffix());
        var mounted = pod;
        for (var list : List.of("initContainers", "containers")) {
            mounted = withMounts(mounted, list, volume);
        }
        boolean needsVolume = present.isEmpty() && !mounted.equals(pod);
        return needsVolume
                ? mounted.with(
                        List.of("spec", "volumes"),
                        mounted.array("spec", "volumes").plus(tokenVolume(volume)))
                : mounted;
    }

    private static Json.Obj withMounts(Json.Obj pod, String list, String volume) {
        if (pod.array("spec", list).size() == 0) {
            return pod;
        }
        var containers = new ArrayList<Json>();
        for (var container : pod.objects("spec", list)) {
            boolean taken = container.objects("volumeMounts").stream()
                    .anyMatch(mount -> mount.string("mountPath").equals(TOKEN_PATH));
            var mount =
                    Json.Obj.of("name", Json.of(volume), "readOnly", Json.of(true), "mountPath", Json.of(TOKEN_PATH));
            containers.add(
                    taken
                            ? container
                            : container.with(
                                    "volumeMounts",
                                    container.array("volumeMounts").plus(mount)));
        }
        return pod.with(List.of("spec", list), new Json.Arr(containers));
    }

    private static Json.Obj tokenVolume(String name) {
        var token = Json.Obj.of(
                "serviceAccountToken", Json.Obj.of("expirationSeconds", Json.of(3607), "path", Json.of("token")));
        var authority = Json.Obj.of(
                "configMap",
                Json.Obj.of(
                        "name", Json.of("kube-root-ca.crt"),
                        "items", Json.Arr.of(Json.Obj.of("key", Json.of("ca.crt"), "path", Json.of("ca.crt")))));
        var namespace = Json.Obj.of(
                "path", Json.of("namespace"),
                "fieldRef", Json.Obj.of("apiVersion", Json.of("v1"), "fieldPath", Json.of("metadata.namespace")));
        var downward = Json.Obj.of("downwardAPI", Json.Obj.of("items", Json.Arr.of(namespace)));
        return Json.Obj.of(
                "name", Json.of(name),
                "projected",
                        Json.Obj.of("defaultMode", Json.of(420), "sources", Json.Arr.of(token, authority, downward)));
    }

    private String suffix() {
        var suffix = new StringBuilder(SUFFIX_LENGTH);
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            suffix.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
        }
        return suffix.toString();
    }
}
