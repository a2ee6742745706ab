package dev.towtank.app.runs;

import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Finds and reads runs wherever they are. One that is in several places is shown once: where it is that a server has
/// it,
/// and as `run` saw it, if it did.
public final class AllRuns {

    private final Optional<ServerRuns> server;
    private final RunHistory history;

    /// @param server absent where none runs
    public AllRuns(Optional<ServerRuns> server, RunHistory history) {
        this.server = server;
        this.history = history;
    }

    public List<FoundRun> list(RunFilter filter) throws IOException {
        var all = new ArrayList<FoundRun>();
        server.ifPresent(runs -> {
            all.addAll(runs.live(filter));
            all.addAll(runs.archived(filter));
        });
        var local = local();
        all.addAll(local);
        var seen = new HashSet<String>();
        return all.stream()
                .filter(run -> run.uid().isEmpty() || seen.add(run.uid()))
                .map(run -> seenBy(local, run))
                .filter(filter::matches)
                .sorted(Comparator.comparing(FoundRun::since).reversed())
                .limit(filter.limit())
                .toList();
    }

    private static FoundRun seenBy(List<FoundRun> local, FoundRun run) {
        return local.stream()
                .filter(each -> !run.uid().isEmpty() && each.uid().equals(run.uid()))
                .findFirst()
                .map(each -> new FoundRun(run.where(), run.id(), each.object(), run.result(), each.record()))
                .orElse(run);
    }

    private List<FoundRun> local() throws IOException {
        var found = new ArrayList<FoundRun>();
        for (var directory : history.all()) {
            try {
                var record = directory.read();
                found.add(new FoundRun(
                        FoundRun.Where.LOCAL, directory.id(), withTimes(record), "", Optional.of(directory)));
            } catch (BadInput e) {
                // Of another version, or half removed: it is none that can be shown.
            }
        }
        return found;
    }

    /// Tekton's times are whole seconds, which is long for a run on this machine: `run` saw it more exactly.
    private static Json.Obj withTimes(RunRecord record) {
        var json = record.run().json();
        for (var time :
                Map.of("started", "startTime", "finished", "completionTime").entrySet()) {
            var seen = record.summary().string(time.getKey());
            json = seen.isEmpty() ? json : json.with(List.of("status", time.getValue()), Json.of(seen));
        }
        return json;
    }

    /// Whether `run` remembers one of this name; `last` is always one of these.
    public static boolean isLocal(String name, RunHistory history) {
        try {
            return name.equals("last")
                    || history.all().stream().anyMatch(run -> run.id().equals(name));
        } catch (IOException e) {
            return false;
        }
    }

    /// @param name of a run, or `last`; with `pr/` or `tr/` before it where it matters
    /// @throws BadInput there is none such
    public FoundRun find(String name, RunFilter filter) throws IOException {
        int slash = name.indexOf('/');
        var kind = slash < 0 ? "" : name.substring(0, slash);
        var wanted = name.substring(slash + 1);
        return list(filter).stream()
                .filter(run -> wanted.equals("last")
                        || run.id().equals(wanted)
                        || run.uid().equals(wanted))
                .filter(run -> switch (kind) {
                    case "pr", "pipelinerun" -> run.kind().equals("PipelineRun");
                    case "tr", "taskrun" -> run.kind().equals("TaskRun");
                    default -> true;
                })
                .findFirst()
                .orElseThrow(() -> new BadInput("There is no run " + name + ": neither on the server, nor in its"
                        + " archive, nor among those that 'towtank run' remembers. 'towtank runs list -A' shows all."));
    }

    public void log(FoundRun run, ServerRuns.Lines lines) throws IOException, InterruptedException {
        if (run.record().isEmpty()) {
            server.orElseThrow().log(run, lines);
            return;
        }
        for (var log : remembered(run).logs()) {
            var prefix = "[" + log.task() + " : " + log.step() + "] ";
            try (var text = Files.newInputStream(log.file())) {
                ServerRuns.copy(text, line -> lines.line(prefix + line));
            }
        }
    }

    /// More of one that is remembered than its object tells.
    LocalRun remembered(FoundRun run) {
        return new LocalRun(run.record().orElseGet(() -> history.find(run.id())));
    }

    /// Takes a run away; what is archived stays, as retention decides about that.
    public void remove(FoundRun run) throws IOException {
        if (run.where() == FoundRun.Where.ARCHIVED && run.record().isEmpty()) {
            throw new BadInput("Run " + run.id() + " is in the archive only. How long it stays there says the"
                    + " ConfigMap tekton-results-config-results-retention-policy.");
        }
        if (run.where() == FoundRun.Where.LIVE) {
            server.orElseThrow().delete(run);
        }
        if (run.record().isPresent()) {
            history.remove(run.record().get());
        }
    }

    static Json.Obj summary(FoundRun run) {
        var json = Json.Obj.builder()
                .put("where", run.where().word())
                .put("namespace", run.namespace())
                .put("name", run.id())
                .put("kind", run.kind())
                .putNonEmpty("pipeline", run.pipeline())
                .put("state", run.state().name().toLowerCase(Locale.ROOT));
        run.started().ifPresent(moment -> json.put("started", moment.toString()));
        run.completed().ifPresent(moment -> json.put("completed", moment.toString()));
        return json.build();
    }
}
