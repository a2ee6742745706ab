package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.util.List;

/// A rule that looks at every write between authorization and storage.
///
/// All rules change first, in order; then, after defaults and validation, all rules check; last, they say what must be
/// committed together with the object. A refusal is a thrown [dev.towtank.model.StatusError].
public interface Admission {

    /// Whether this rule, asked about any write in a logical cluster, may wait for somebody or work for long.
    default boolean mayWait(LogicalCluster cluster) {
        return false;
    }

    /// The object as it shall go on; on a deletion there is none to change and this is not asked.
    default Json.Obj change(Review review, Json.Obj object) {
        return object;
    }

    default void check(Review review) {}

    /// Advice for the person at the client about a write that is accepted.
    default List<String> warnings(Review review) {
        return List.of();
    }

    /// Writes that go with the object or not at all, such as the new usage of a quota.
    ///
    /// A conflict on one of them makes the server ask again, so the answer must come from the present state.
    default List<Write> alongside(Review review) {
        return List.of();
    }
}
