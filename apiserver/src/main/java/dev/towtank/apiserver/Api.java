package dev.towtank.apiserver;

import dev.towtank.model.LogicalCluster;
import java.util.List;
import java.util.Optional;

/// The single path to state: authorization, admission, validation, storage.
///
/// Callers inside the process skip HTTP and text, never rules.
@FunctionalInterface
public interface Api {

    /// @throws dev.towtank.model.StatusError when the request is refused
    Answer handle(Call call);

    /// The same answer or refusal, where it can be told without waiting for anybody; otherwise nothing was done, and
    /// [#handle] is to be asked.
    default Optional<Answer> quickly(Call call) {
        return Optional.empty();
    }

    /// Creations that are carried out at one moment, in their order.
    ///
    /// @return their answers; empty when one of them is refused, or this cannot be done: then nothing was done, and
    ///     [#handle] is to be asked about each
    default Optional<List<Answer>> together(List<Call> creations) {
        return Optional.empty();
    }

    /// A cluster that sleeps answers nobody outside; what works inside of this process still reaches it.
    ///
    /// @throws dev.towtank.model.StatusError ServiceUnavailable
    default void checkAwake(LogicalCluster cluster) {}
}
