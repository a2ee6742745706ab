package dev.towtank.app.report;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;

/// Where a run comes from: a server, or what was exported from one.
public interface RunSource {

    /// The PipelineRun or TaskRun.
    Json.Obj run();

    /// The TaskRuns and CustomRuns of a PipelineRun; none of a TaskRun.
    List<Json.Obj> children();

    Log log(String pod, String container);

    /// Versions, and how processes were fenced in, by name.
    Map<String, String> surroundings();

    /// What a step has written.
    ///
    /// @param cut whether the beginning was left out
    /// @param problem why there is none; empty when all is well
    record Log(String text, boolean cut, String problem) {
        public static Log of(String text) {
            return new Log(text, false, "");
        }

        public static Log none(String problem) {
            return new Log("", false, problem);
        }
    }
}
