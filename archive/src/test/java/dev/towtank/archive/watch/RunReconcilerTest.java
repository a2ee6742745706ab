package dev.towtank.archive.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.archive.Runs;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunReconcilerTest {

    private static final String HELD = "[results.tekton.dev/pipelinerun]";
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Resource CHILD = Runs.taskRun("t1", "p1", "[results.tekton.dev/taskrun]");

    private static Decision decide(WatchSettings settings, Resource run, RunFacts facts) {
        return decide(settings, run, facts, Optional.empty());
    }

    private static Decision decide(WatchSettings settings, Resource run, RunFacts facts, Optional<String> problem) {
        var observed = new Observed<>(run, run.json(), problem);
        return new RunReconciler(settings).decide(observed, facts, NOON);
    }

    private static RunFacts facts(List<Resource> children, List<Resource> pods, Map<String, String> archived) {
        return new RunFacts(false, children, pods, List.of(), archived);
    }

    private static Map<String, String> whole(Resource... runs) {
        var digests = new HashMap<String, String>();
        for (var run : runs) {
            digests.put(run.uid(), Marks.digest(run, true));
        }
        return digests;
    }

    private static Resource deleting(Resource run) {
        return run.with(run.json().with(List.of("metadata", "deletionTimestamp"), Json.of("2026-01-01T11:00:00Z")));
    }

    @Test
    void aRunIsHeldBeforeAnythingElse() {
        var run = Runs.pipelineRun("p1", "[]");
        var decision = decide(WatchSettings.DEFAULT, run, facts(List.of(), List.of(), Map.of()));
        assertThat(decision.deed()).isEmpty();
        assertThat(decision.plan().json().toString()).contains("results.tekton.dev/pipelinerun");
    }

    @Test
    void aFinishedRunIsArchivedWithItsChildrenAndThenMarked() {
        var run = Runs.pipelineRun("p1", HELD);
        var decision =
                decide(WatchSettings.DEFAULT, run, facts(List.of(CHILD), List.of(Runs.pod("Succeeded")), Map.of()));
        assertThat(decision.deed()).hasValueSatisfying(deed -> {
            assertThat(deed.whole()).isTrue();
            assertThat(deed.children()).containsExactly(CHILD);
        });
        assertThat(decision.plan().json().toString())
                .contains("dev/results/p1/records/p1", "dev/results/p1/records/t1", "childReadyForDeletion", "stored");
    }

    @Test
    void aRunWaitsForItsChildrenAndForTheEndOfTheirLogs() {
        var run = Runs.pipelineRun("p1", HELD);
        var running = CHILD.with(CHILD.json().with("status", Json.Obj.EMPTY));
        assertThat(decide(WatchSettings.DEFAULT, run, facts(List.of(running), List.of(), Map.of())))
                .isEqualTo(Decision.NONE);
        assertThat(decide(WatchSettings.DEFAULT, run, facts(List.of(CHILD), List.of(Runs.pod("Running")), Map.of())))
                .isEqualTo(Decision.NONE);
    }

    @Test
    void anArchivedRunIsDeletedOnceItsGraceIsOver() {
        var run = marked(Runs.pipelineRun("p1", HELD));
        var child = marked(CHILD);
        var facts = facts(List.of(child), List.of(), whole(run, child));
        assertThat(decide(WatchSettings.DEFAULT, run, facts).plan().changes()).isEmpty();
        var day = WatchSettings.DEFAULT.withGrace(Duration.ofDays(1));
        assertThat(decide(day, run, facts).plan().lookAgain()).contains(Instant.parse("2026-01-02T10:05:00Z"));
        var hour = WatchSettings.DEFAULT.withGrace(Duration.ofHours(1));
        assertThat(decide(hour, run, facts).plan().changes()).singleElement().isInstanceOf(Change.Delete.class);
    }

    private static Resource marked(Resource run) {
        var annotations = new TreeMap<>(run.annotations());
        annotations.putAll(Marks.annotations(run, "p1", true));
        return run.with(run.json().with(List.of("metadata", "annotations"), Json.Obj.ofStrings(annotations)));
    }

    @Test
    void aForgedMarkDoesNotMakeARunArchived() {
        var run = marked(Runs.pipelineRun("p1", HELD));
        var settings = WatchSettings.DEFAULT.withGrace(Duration.ZERO);
        var decision = decide(settings, run, facts(List.of(), List.of(), Map.of()));
        assertThat(decision.deed()).isPresent();
        assertThat(decision.plan().changes()).noneMatch(Change.Delete.class::isInstance);
    }

    @Test
    void aRunThatIsBeingDeletedGoesOnlyWhenItIsArchivedWithItsLog() {
        var run = deleting(Runs.pipelineRun("p1", HELD));
        var unarchived = decide(WatchSettings.DEFAULT, run, facts(List.of(), List.of(), Map.of()));
        assertThat(unarchived.deed()).isPresent();
        // Only when the deed has succeeded.
        assertThat(unarchived.plan().json().toString()).contains("\"finalizers\":[]");
        // Its state was archived while it ran, but no log.
        var asItIs = Map.of("p1", Marks.digest(run, false));
        assertThat(decide(WatchSettings.DEFAULT, run, facts(List.of(), List.of(), asItIs))
                        .deed())
                .isPresent();
        var archived = decide(WatchSettings.DEFAULT, run, facts(List.of(), List.of(), whole(run)));
        assertThat(archived.deed()).isEmpty();
        assertThat(archived.plan().json().toString()).contains("\"finalizers\":[]");
    }

    @Test
    void aDeadlineLetsARunGoOnlyAfterArchivingFailed() {
        var run = deleting(Runs.pipelineRun("p1", HELD));
        var settings = WatchSettings.DEFAULT.withStoreDeadline(Duration.ofMinutes(10));
        var facts = facts(List.of(), List.of(), Map.of());
        assertThat(decide(settings, run, facts).deed()).isPresent();
        var decision = decide(settings, run, facts, Optional.of("the disk is full"));
        assertThat(decision.deed()).isEmpty();
        assertThat(decision.plan().toString()).contains("NotStored", "the disk is full");
        assertThat(decide(WatchSettings.DEFAULT, run, facts, Optional.of("the disk is full"))
                        .deed())
                .isPresent();
    }

    @Test
    void aChildIsLeftToItsPipelineRunUnlessItIsBeingDeleted() {
        var facts = new RunFacts(true, List.of(), List.of(), List.of(), Map.of());
        assertThat(decide(WatchSettings.DEFAULT, CHILD, facts)).isEqualTo(Decision.NONE);
        assertThat(decide(WatchSettings.DEFAULT, deleting(CHILD), facts).deed()).isPresent();
    }

    @Test
    void aRunOfAnotherControllerIsLeftAlone() {
        var run = Runs.pipelineRun("p1", "[]");
        var foreign = run.with(run.json().with(List.of("spec", "managedBy"), Json.of("kueue.x-k8s.io/multikueue")));
        assertThat(decide(WatchSettings.DEFAULT, foreign, facts(List.of(), List.of(), Map.of())))
                .isEqualTo(Decision.NONE);
    }

    @Test
    void anAnnotationDoesNotNameAResultInAnotherNamespace() {
        var run = Runs.pipelineRun("p1", HELD);
        var annotations = List.of("metadata", "annotations", Marks.RESULT);
        assertThat(Marks.result(run.with(run.json().with(annotations, Json.of("other/results/x")))))
                .isEqualTo("p1");
        assertThat(Marks.result(run.with(run.json().with(annotations, Json.of("dev/results/x")))))
                .isEqualTo("x");
    }
}
