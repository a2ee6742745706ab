package dev.towtank.archive.watch;

import dev.towtank.cluster.Deed;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;

/// The deed: to archive a run with all that belongs to it.
///
/// @param whole with logs and events, for good; otherwise the run as it is now
public record Archiving(
        Resource run, List<Resource> children, List<Resource> pods, List<Resource> events, boolean whole)
        implements Deed {

    public Archiving {
        children = List.copyOf(children);
        pods = List.copyOf(pods);
        events = List.copyOf(events);
    }

    @Override
    public Json.Obj json() {
        return Json.Obj.of("archive", Json.of(toString()));
    }

    @Override
    public String toString() {
        return "archive " + run.describe() + (whole ? " with " + children.size() + " children and logs" : " as it is");
    }
}
