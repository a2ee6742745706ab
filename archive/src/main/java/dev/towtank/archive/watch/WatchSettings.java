package dev.towtank.archive.watch;

import dev.towtank.model.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What an operator may say about archiving.
///
/// @param grace how long a finished run stays after it was archived; absent: for ever; zero: not at all
/// @param checkOwner keeps what belongs to anything, not only what belongs to a PipelineRun
/// @param storeDeadline after its end a run that is being deleted goes though it could not be archived; absent: never
/// @param incomplete archives runs before they have finished, too
/// @param events archives what was told about runs
/// @param summaryLabels labels that the Result shows as annotations
/// @param deletable which archived runs may be deleted
/// @param managedBy what `spec.managedBy` may be, beside nothing
public record WatchSettings(
        Optional<Duration> grace,
        boolean checkOwner,
        Optional<Duration> storeDeadline,
        boolean incomplete,
        boolean events,
        List<String> summaryLabels,
        LabelSelector deletable,
        Set<String> managedBy) {

    public static final WatchSettings DEFAULT = new WatchSettings(
            Optional.empty(),
            true,
            Optional.empty(),
            true,
            true,
            List.of("tekton.dev/pipeline"),
            LabelSelector.EVERYTHING,
            Set.of("tekton.dev/pipeline"));

    public WatchSettings {
        summaryLabels = List.copyOf(summaryLabels);
        managedBy = Set.copyOf(managedBy);
    }

    public WatchSettings withGrace(Duration duration) {
        return new WatchSettings(
                Optional.of(duration),
                checkOwner,
                storeDeadline,
                incomplete,
                events,
                summaryLabels,
                deletable,
                managedBy);
    }

    public WatchSettings withStoreDeadline(Duration duration) {
        return new WatchSettings(
                grace, checkOwner, Optional.of(duration), incomplete, events, summaryLabels, deletable, managedBy);
    }
}
