package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.runs.AllRuns;
import dev.towtank.app.runs.FoundRun;
import dev.towtank.app.runs.RunFilter;
import dev.towtank.app.runs.RunsView;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// The runs of `towtank run` on this machine, for commands that are mostly about a server.
final class LocalRuns {
    private static final RunFilter ALL =
            new RunFilter("", Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Integer.MAX_VALUE);

    private final AllRuns runs;
    private final RunHistory history;
    private final ServerOption server;
    private final Surroundings surroundings;

    LocalRuns(ServerOption server, Surroundings surroundings) {
        this.history = new RunHistory(server.directory(surroundings).runs());
        this.runs = new AllRuns(Optional.empty(), history);
        this.server = server;
        this.surroundings = surroundings;
    }

    /// Names of such runs end with letters of chance, so one of the server is hardly ever meant.
    boolean has(String name) {
        return AllRuns.isLocal(name, history);
    }

    /// Where no server runs, a name that is not remembered is more likely wrong than on a server.
    void mustBeOnTheServer(String name) {
        if (name.contains("/") || server.isThere(surroundings)) {
            return;
        }
        try {
            var _ = history.find(name);
        } catch (BadInput e) {
            throw new Failure(
                    e.getMessage() + " And no server runs on " + server.directory(surroundings) + ": start one with '"
                            + surroundings.programName() + " up --detach', or name another with --data DIR or"
                            + " --kubeconfig FILE.",
                    e);
        }
    }

    FoundRun find(String name) throws IOException {
        try {
            return runs.find(name, ALL);
        } catch (BadInput e) {
            throw new Failure("No run is remembered yet: '" + surroundings.programName() + " run FILE' makes one.", e);
        }
    }

    RunsView view() {
        return new RunsView(runs, surroundings.text(), surroundings.clock());
    }
}
