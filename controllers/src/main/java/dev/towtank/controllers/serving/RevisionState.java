package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.Routes;
import java.util.List;
import java.util.Optional;

/// A revision with its pods.
///
/// @param wanted how many pods it should have
record RevisionState(Revision revision, List<Worker> workers, int wanted) {

    RevisionState {
        workers = List.copyOf(workers);
    }

    static RevisionState of(Revision revision, List<Worker> all, int wanted) {
        return new RevisionState(
                revision,
                all.stream()
                        .filter(worker -> worker.revision().equals(revision.name()))
                        .toList(),
                wanted);
    }

    String name() {
        return revision.name();
    }

    /// All of its pods have answered: it can take over.
    boolean isReady() {
        return targets().size() >= wanted;
    }

    /// Somebody answers.
    boolean serves() {
        return !targets().isEmpty();
    }

    List<Routes.Target> targets() {
        return workers.stream().filter(Worker::isReady).map(Worker::target).toList();
    }

    Optional<Worker.Failure> failure() {
        return workers.stream()
                .filter(worker -> !worker.isEnding())
                .map(Worker::failure)
                .flatMap(Optional::stream)
                .findFirst();
    }

    int failed() {
        return (int) workers.stream()
                .filter(worker -> !worker.isEnding() && worker.failure().isPresent())
                .count();
    }

    /// In KServe's words.
    String modelState() {
        if (serves()) {
            return "Loaded";
        }
        if (failure()
                .filter(failure -> failure.reason().equals("ModelLoadFailed"))
                .isPresent()) {
            return "FailedToLoad";
        }
        return workers.stream().anyMatch(Worker::isRunning) ? "Loading" : "Pending";
    }
}
