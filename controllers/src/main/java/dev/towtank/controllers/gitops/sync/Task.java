package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Marks.DeletePolicy;
import java.util.Comparator;
import java.util.Optional;

/// One object to be brought about, or away, in one phase and wave.
record Task(Phase phase, int wave, boolean isHook, Managed object, Optional<Result> result) {

    static final Comparator<Task> ORDER = Comparator.comparing(Task::phase)
            .thenComparingInt(Task::wave)
            .thenComparingInt(task -> KindOrder.rank(task.key().kind()))
            .thenComparing(task -> task.key().name());

    ResourceKey key() {
        return object.key();
    }

    boolean isPrune() {
        return object.target().isEmpty();
    }

    boolean isPending() {
        return result.isEmpty();
    }

    boolean isRunning() {
        return result.filter(Result::isRunning).isPresent();
    }

    boolean isCompleted() {
        return result.filter(Result::isCompleted).isPresent();
    }

    boolean hasFailed() {
        return isCompleted() && result.filter(Result::isSuccessful).isEmpty();
    }

    boolean isRefused() {
        return result.filter(it -> it.status().equals("SyncFailed")).isPresent();
    }

    boolean isDefinition() {
        return key().kind().equals("CustomResourceDefinition");
    }

    boolean isDeletedBy(DeletePolicy policy) {
        return isHook && Marks.deletePolicies(object.object()).contains(policy);
    }

    Task with(Optional<Result> news) {
        return new Task(phase, wave, isHook, object, news);
    }

    Task moved(Phase newPhase, int newWave) {
        return new Task(newPhase, newWave, isHook, object, result);
    }
}
