package dev.towtank.app.run.history;

import dev.towtank.app.report.RunSource;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;

/// A run as a server has it, with what was seen while it ran: times that are exact, and logs of pods that are gone.
///
/// @param server what the server tells
/// @param seen what is remembered
public record SeenRun(RunSource server, KeptRun seen) implements RunSource {

    @Override
    public Json.Obj run() {
        return seen.timed(server.run());
    }

    @Override
    public List<Json.Obj> children() {
        return server.children().stream().map(seen::timed).toList();
    }

    @Override
    public Log log(String pod, String container) {
        var log = server.log(pod, container);
        return log.problem().isEmpty() ? log : seen.find(pod, container).orElse(log);
    }

    @Override
    public Map<String, String> surroundings() {
        return server.surroundings();
    }
}
