package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Gives claims that name no storage class the one that is marked as the default.
public final class StorageClassAdmission implements Admission {

    private static final GroupResource STORAGE_CLASSES = new GroupResource("storage.k8s.io", "storageclasses");
    private static final Set<String> DEFAULT_MARKS =
            Set.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");

    private final Store store;

    public StorageClassAdmission(Store store) {
        this.store = store;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        if (review.operation() != Review.Operation.CREATE
                || !review.isWholeObject("", "PersistentVolumeClaim")
                || asksForClass(object)) {
            return object;
        }
        return usual(review.cluster())
                .or(() -> usual(LogicalCluster.DEFAULT)) // whose classes all clusters share
                .map(chosen -> object.with(List.of("spec", "storageClassName"), Json.of(chosen.name())))
                .orElse(object);
    }

    /// Where several are marked the newest counts, so that a change of mind works before the old mark is removed.
    private Optional<Resource> usual(LogicalCluster cluster) {
        return store.list(Range.of(STORAGE_CLASSES, cluster), 0, null, 0).items().stream()
                .map(stored -> Resource.of(stored.tree()))
                .filter(StorageClassAdmission::isDefault)
                .max(Comparator.comparing(
                                (Resource each) -> each.creationTimestamp().orElse(Instant.EPOCH))
                        .thenComparing(Resource::name, Comparator.reverseOrder()));
    }

    /// An empty name is an answer too: no class.
    private static boolean asksForClass(Json.Obj claim) {
        return claim.at("spec", "storageClassName") instanceof Json.Str
                || claim.object("metadata", "annotations").has("volume.beta.kubernetes.io/storage-class");
    }

    private static boolean isDefault(Resource storageClass) {
        return DEFAULT_MARKS.stream()
                .anyMatch(mark -> "true".equals(storageClass.annotations().get(mark)));
    }
}
