package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.controllers.secrets.TargetTemplate.Filled;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.template.functions.Ambient;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The Secret that an ExternalSecret makes or adds to: what is there, and what must change.
///
/// @param source the ExternalSecret
/// @param existing the Secret as it is
record SecretTarget(Resource source, Optional<Resource> existing) {

    static final String MANAGED_LABEL = "reconcile.external-secrets.io/managed";
    static final String OWNER_LABEL = "reconcile.external-secrets.io/created-by";
    /// By which Argo CD knows what it has applied.
    private static final String TRACKING = "argocd.argoproj.io/tracking-id";

    static final String HASH_ANNOTATION = "reconcile.external-secrets.io/data-hash";

    /// Who writes whole targets; each of those that share one has a name of its own.
    static final String MANAGER = "externalsecret-controller";

    /// The target belongs to another.
    static final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String message;

        /// @param message for the condition
        Taken(String message, String cause) {
            super(cause, null, false, false);
            this.message = message;
        }

        String message() {
            return message;
        }

        String cause() {
            return String.valueOf(getMessage());
        }
    }

    static String name(Resource source) {
        var name = source.spec().string("target", "name");
        return name.isEmpty() ? source.name() : name;
    }

    static String ownerLabel(Resource source) {
        return Hashes.ofText(source.namespace() + "/" + source.name());
    }

    String policy() {
        var policy = source.spec().string("target", "creationPolicy");
        return policy.isEmpty() ? "Owner" : policy;
    }

    boolean isShared() {
        return policy().equals("Merge") || policy().equals("CreateOrMerge");
    }

    private boolean isOwned() {
        return policy().equals("Owner");
    }

    /// Whether it is as somebody of our kind left it.
    boolean isUntouched() {
        // Nobody restores what was given away.
        if (policy().equals("Orphan")) {
            return true;
        }
        return existing.filter(secret -> "true".equals(secret.labels().get(MANAGED_LABEL))
                        && Hashes.ofData(KubernetesProvider.data(secret)).equals(hash(secret)))
                .isPresent();
    }

    /// Whether a target that is not restored was made of the same values.
    boolean wasMadeOf(Filled wanted) {
        return existing.map(secret -> hash(secret).equals(Hashes.ofData(wanted.data())))
                .orElse(true);
    }

    private static String hash(Resource secret) {
        return secret.annotations().getOrDefault(HASH_ANNOTATION, "");
    }

    /// What makes the target so; nothing where it is.
    ///
    /// @throws Taken it is not ours to change
    Optional<Change> change(Filled wanted, Change.Alternative otherwise) {
        existing.ifPresent(this::refuseTaken);
        return isShared() ? merged(wanted, otherwise) : whole(wanted, otherwise);
    }

    private void refuseTaken(Resource secret) {
        var owner = secret.controller().orElse(null);
        if (owner == null || isOurs(owner)) {
            return;
        }
        if (isExternalSecret(owner)) {
            throw new Taken(
                    "target is owned by another ExternalSecret",
                    "unable to mutate secret %s: secret is owned by another ExternalSecret: %s"
                            .formatted(secret.name(), owner.name()));
        }
        if (isOwned()) {
            throw new Taken(
                    "failed to take ownership of target secret",
                    "unable to mutate secret %s: could not set controller reference on secret: Object %s/%s is already owned by another %s controller %s"
                            .formatted(secret.name(), secret.namespace(), secret.name(), owner.kind(), owner.name()));
        }
    }

    /// The Application that keeps this very Secret as its repository has it. What an ExternalSecret of a repository
    /// hands on to its Secret names the ExternalSecret, and is no such mark.
    static Optional<String> otherKeeper(Resource secret) {
        var mark = secret.annotations().getOrDefault(TRACKING, "");
        var own = ":/Secret:" + secret.namespace() + "/" + secret.name();
        return mark.endsWith(own) ? Optional.of(mark.substring(0, mark.length() - own.length())) : Optional.empty();
    }

    private static boolean isExternalSecret(Resource.Owner owner) {
        return owner.kind().equals(SecretKinds.EXTERNAL_SECRET.kind())
                && owner.group().equals(SecretKinds.GROUP);
    }

    private boolean isOurs(Resource.Owner owner) {
        return isExternalSecret(owner) && owner.name().equals(source.name());
    }

    private Optional<Change> whole(Filled wanted, Change.Alternative otherwise) {
        if (existing.isEmpty()) {
            return Optional.of(new Change.TryCreate(Secrets.KIND, made(wanted), otherwise));
        }
        var seen = existing.get();
        boolean isKept = source.spec().flag("target", "immutable");
        var data = isKept ? KubernetesProvider.data(seen) : wanted.data();
        var wantedData = encoded(data);
        if (seen.json().flag("immutable") && !seen.json().object("data").equals(wantedData)) {
            throw new Taken(
                    "could not update secret, target is immutable",
                    "unable to update secret " + seen.name() + ": secret is immutable");
        }
        var fields = Json.Obj.builder();
        fields.putNonEmpty("metadata", metadataChanges(seen, wanted, data));
        fields.putNonEmpty(
                "data",
                difference(seen.json().object("data"), wantedData, seen.json().object("data")));
        var type = type();
        if (!type.isEmpty() && !type.equals(seen.json().string("type"))) {
            fields.put("type", type);
        }
        if (isKept && !seen.json().flag("immutable")) {
            fields.put("immutable", true);
        }
        var changes = fields.build();
        return changes.size() == 0
                ? Optional.empty()
                : Optional.of(new Change.PatchFields(Secrets.KIND, seen, changes));
    }

    private String type() {
        return source.spec().string("target", "template", "type");
    }

    private Json.Obj metadataChanges(Resource seen, Filled wanted, NavigableMap<String, byte[]> data) {
        var metadata = Json.Obj.builder();
        var labels = Json.Obj.ofStrings(labels(wanted));
        var ownLabels = ManagedFields.of(seen, MANAGER, "metadata", "labels");
        metadata.putNonEmpty("labels", difference(seen.metadata().object("labels"), labels, ownLabels));
        var annotations = Json.Obj.ofStrings(annotations(wanted, data));
        var ownAnnotations = ManagedFields.of(seen, MANAGER, "metadata", "annotations");
        metadata.putNonEmpty(
                "annotations", difference(seen.metadata().object("annotations"), annotations, ownAnnotations));
        var owners = owners(seen);
        if (!owners.equals(seen.metadata().array("ownerReferences"))) {
            metadata.put("ownerReferences", owners);
        }
        var finalizers = new ArrayList<>(seen.finalizers());
        finalizers().stream().filter(each -> !finalizers.contains(each)).forEach(finalizers::add);
        if (!finalizers.equals(seen.finalizers())) {
            metadata.put("finalizers", Json.Arr.ofStrings(finalizers));
        }
        return metadata.build();
    }

    private List<String> finalizers() {
        return source.spec()
                .array("target", "template", "metadata", "finalizers")
                .strings();
    }

    private Json.Arr owners(Resource seen) {
        var owners = new ArrayList<Json>();
        seen.owners().stream().filter(owner -> !isOurs(owner)).forEach(owner -> owners.add(owner.json()));
        if (isOwned()) {
            owners.add(source.asOwner(true).json());
        }
        return new Json.Arr(owners);
    }

    /// What a merge patch must say.
    ///
    /// @param removable what may go where it is no longer wanted
    private static Json.Obj difference(Json.Obj seen, Json.Obj wanted, Json.Obj removable) {
        var difference = Json.Obj.builder();
        wanted.forEach((key, value) -> {
            if (!value.equals(seen.get(key))) {
                difference.put(key, value);
            }
        });
        removable.forEach((key, _) -> {
            if (seen.has(key) && !wanted.has(key)) {
                difference.put(key, Json.Null.NULL);
            }
        });
        return difference.build();
    }

    private NavigableMap<String, String> labels(Filled wanted) {
        var labels = new TreeMap<>(wanted.labels());
        labels.put(MANAGED_LABEL, "true");
        if (isOwned()) {
            labels.put(OWNER_LABEL, ownerLabel(source));
        }
        return labels;
    }

    private static NavigableMap<String, String> annotations(Filled wanted, NavigableMap<String, byte[]> data) {
        var annotations = new TreeMap<>(wanted.annotations());
        annotations.put(HASH_ANNOTATION, Hashes.ofData(data));
        return annotations;
    }

    private static Json.Obj encoded(NavigableMap<String, byte[]> data) {
        var encoded = Json.Obj.builder();
        data.forEach((key, value) -> encoded.put(key, Base64.getEncoder().encodeToString(value)));
        return encoded.build();
    }

    private Resource made(Filled wanted) {
        var metadata = Json.Obj.builder()
                .put("name", name(source))
                .put("namespace", source.namespace())
                .put("labels", Json.Obj.ofStrings(labels(wanted)))
                .put("annotations", Json.Obj.ofStrings(annotations(wanted, wanted.data())));
        if (isOwned()) {
            metadata.put("ownerReferences", Json.Arr.of(source.asOwner(true).json()));
        }
        metadata.putNonEmpty("finalizers", Json.Arr.ofStrings(finalizers()));
        var secret = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("metadata", metadata.build())
                .put("type", type().isEmpty() ? "Opaque" : type())
                .put("data", encoded(wanted.data()));
        if (source.spec().flag("target", "immutable")) {
            secret.put("immutable", true);
        }
        return source.with(secret.build());
    }

    /// Adds to what others wrote; what it added before and no longer wants goes, which is what apply is for.
    private Optional<Change> merged(Filled wanted, Change.Alternative otherwise) {
        var manager = "externalsecrets.external-secrets.io/" + source.name();
        var before = existing.map(KubernetesProvider::data).orElseGet(TreeMap::new);
        var all = new TreeMap<>(before);
        var ours = existing.map(secret -> ManagedFields.of(secret, manager, "data"))
                .orElse(Json.Obj.EMPTY);
        ours.keys().forEach(all::remove);
        all.putAll(wanted.data());
        var labels = labels(wanted);
        var annotations = annotations(wanted, all);
        boolean isSo = existing.filter(secret -> encoded(all).equals(encoded(before))
                        && secret.labels().entrySet().containsAll(labels.entrySet())
                        && secret.annotations().entrySet().containsAll(annotations.entrySet()))
                .isPresent();
        if (isSo) {
            return Optional.empty();
        }
        if (existing.filter(secret -> secret.json().flag("immutable")).isPresent()) {
            throw new Taken(
                    "could not update secret, target is immutable",
                    "unable to update secret " + name(source) + ": secret is immutable");
        }
        var applied = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", name(source))
                                .put("namespace", source.namespace())
                                .put("labels", Json.Obj.ofStrings(labels))
                                .put("annotations", Json.Obj.ofStrings(annotations))
                                .build())
                .put("data", encoded(wanted.data()));
        applied.putNonEmpty("type", type());
        return Optional.of(new Change.Apply(Secrets.KIND, source.with(applied.build()), manager, true, otherwise));
    }

    /// What the template makes of the values; without one, they are taken as they are, and so are the labels of the
    /// ExternalSecret.
    Filled fill(NavigableMap<String, byte[]> read, Map<String, NavigableMap<String, byte[]>> objects, Ambient ambient) {
        if (!(source.spec().at("target", "template") instanceof Json.Obj template)) {
            return new Filled(read, new TreeMap<>(source.labels()), new TreeMap<>(source.annotations()));
        }
        try {
            return TargetTemplate.fill(template, read, objects, ambient);
        } catch (ReadProblem e) {
            throw e.inside("unable to mutate secret " + name(source) + ": could not apply template: ");
        }
    }
}
