package dev.towtank.app.runs;

import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds and reads runs wherever they are. One that is on the server and in its archive is shown once.
public final class AllRuns {

    private static final Pattern RETRY = Pattern.compile("(.+)-retry-(\\d{1,4})");

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
        all.addAll(local());
        var seen = new HashSet<String>();
        return all.stream()
                .filter(filter::matches)
                .filter(run -> run.where() == FoundRun.Where.LOCAL || seen.add(run.uid()))
                .sorted(Comparator.comparing(FoundRun::since).reversed())
                .limit(filter.limit())
                .toList();
    }

    private List<FoundRun> local() throws IOException {
        var found = new ArrayList<FoundRun>();
        for (var directory : history.all()) {
            try {
                var record = directory.read();
                found.add(new FoundRun(FoundRun.Where.LOCAL, directory.id(), withTimes(record), ""));
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
        if (run.where() != FoundRun.Where.LOCAL) {
            server.orElseThrow().log(run, lines);
            return;
        }
        var logs = history.find(run.id()).logs();
        for (var task : entries(logs)) {
            for (var step : entries(task)) {
                var prefix = "[" + taskName(run, task.getFileName().toString()) + " : "
                        + step.getFileName().toString().replaceFirst("\\.log$", "") + "] ";
                try (var text = Files.newInputStream(step)) {
                    ServerRuns.copy(text, line -> lines.line(prefix + line));
                }
            }
        }
    }

    /// @param log the name of a TaskRun; of a further attempt with `-retry-N` behind it
    private static String taskName(FoundRun run, String log) {
        var retry = RETRY.matcher(log);
        return retry.matches()
                ? ofTaskRun(run, retry.group(1)) + ", attempt " + (Integer.parseInt(retry.group(2)) + 1)
                : ofTaskRun(run, log);
    }

    private static String ofTaskRun(FoundRun run, String taskRun) {
        return run.object().objects("status", "childReferences").stream()
                .filter(child -> child.string("name").equals(taskRun))
                .map(child -> child.string("pipelineTaskName"))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(taskRun);
    }

    private static List<Path> entries(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var entries = Files.list(directory)) {
            return entries.filter(path -> !Files.isSymbolicLink(path)).sorted().toList();
        }
    }

    /// Takes a run away; what is archived stays, as retention decides about that.
    public void remove(FoundRun run) throws IOException {
        switch (run.where()) {
            case LIVE -> server.orElseThrow().delete(run);
            case LOCAL -> history.remove(new RunDirectory(history.root().resolve(run.id())));
            case ARCHIVED ->
                throw new BadInput("Run " + run.id() + " is in the archive only. How long it stays there says the"
                        + " ConfigMap tekton-results-config-results-retention-policy.");
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
