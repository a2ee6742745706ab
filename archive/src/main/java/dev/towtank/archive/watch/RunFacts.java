package dev.towtank.archive.watch;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;

/// What is known beside a run.
///
/// @param hasOwner whether the PipelineRun that it belongs to is there
/// @param children its TaskRuns and CustomRuns
/// @param pods of the run and its children
/// @param events about the run, its children and their pods
/// @param archived by uid: the digest that the archive has of the run and its children
public record RunFacts(
        boolean hasOwner,
        List<Resource> children,
        List<Resource> pods,
        List<Resource> events,
        Map<String, String> archived) {

    public static final RunFacts NONE = new RunFacts(false, List.of(), List.of(), List.of(), Map.of());

    public RunFacts {
        children = List.copyOf(children);
        pods = List.copyOf(pods);
        events = List.copyOf(events);
        archived = Map.copyOf(archived);
    }
}
