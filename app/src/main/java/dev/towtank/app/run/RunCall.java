package dev.towtank.app.run;

import dev.towtank.app.run.history.Resumption;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.app.run.images.ImageCheck;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.KnownKinds;
import dev.towtank.app.run.input.RunChoice;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.app.run.input.RunRequest;
import dev.towtank.app.run.input.RunRequest.WorkspaceChoice;
import dev.towtank.app.run.input.Sources;
import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.app.run.view.Output;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What a user typed behind `towtank run`.
///
/// @param isOwnEngine an engine for this run alone
public record RunCall(
        List<Path> files,
        List<String> params,
        List<String> workspaces,
        Optional<String> pipeline,
        Optional<String> task,
        Optional<String> timeout,
        Earlier earlier,
        boolean isOwnEngine,
        boolean isKept) {

    /// Where repositories keep what runs on them.
    private static final Path USUAL = Path.of(".tekton");

    public enum Format {
        PRETTY,
        PLAIN,
        JSON
    }

    /// The run that this one is made of, if any.
    public record Earlier(
            Optional<String> resume, Optional<String> from, Optional<String> only, Optional<String> replay) {
        public static final Earlier NONE =
                new Earlier(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// Where it takes place.
    ///
    /// @param images looks at them before the run; nothing where somebody else has them
    /// @param definitions of the kinds that features bring
    public record Place(
            RunEngine.Starter engine,
            Optional<ImageCheck> images,
            RunHistory history,
            Stopping stopping,
            InstantSource clock,
            String program,
            String version,
            Supplier<List<Json.Obj>> definitions) {}

    public RunCall {
        files = List.copyOf(files);
        params = List.copyOf(params);
        workspaces = List.copyOf(workspaces);
    }

    /// @return the exit code
    /// @throws BadInput nothing was started
    public int run(Place place, Output output) throws IOException, InterruptedException {
        try (output) {
            var resumed = earlier.resume().map(id -> place.history().find(id));
            if (resumed.isEmpty()
                    && (earlier.from().isPresent() || earlier.only().isPresent())) {
                throw new BadInput(
                        "--from and --only choose among the tasks of an earlier run: use them with --resume RUN.");
            }
            var around = new RunJob.Surroundings(
                    place.engine(),
                    place.images(),
                    place.history(),
                    output,
                    place.stopping(),
                    place.clock(),
                    place.program(),
                    place.version());
            var job = new RunJob(around, new RunJob.Settings(isOwnEngine, isKept));
            if (resumed.isPresent()) {
                return resume(job, resumed.get(), place);
            }
            var documents = documents(place);
            var kinds = KnownKinds.with(documents, place.definitions());
            return job.run(new RunChoice(documents, request(), isOwnEngine, kinds).plan(), Optional.empty());
        }
    }

    private RunRequest request() {
        return new RunRequest(
                params,
                workspaces.stream().map(WorkspaceChoice::parse).toList(),
                pipeline,
                task,
                timeout.map(RunCall::duration),
                earlier.replay().isEmpty());
    }

    private static Duration duration(String text) {
        try {
            var duration = Durations.parse(text);
            if (!duration.isPositive()) {
                throw new BadInput("--timeout " + text + ": the time must be longer than nothing");
            }
            return duration;
        } catch (Durations.Malformed e) {
            throw new BadInput("--timeout " + text + ": expected a time such as 90s, 10m or 1h30m");
        }
    }

    private List<Document> documents(Place place) throws IOException {
        if (earlier.replay().isPresent()) {
            var given = Sources.read(files);
            var kinds = KnownKinds.with(given, place.definitions());
            return Replay.documents(earlier.replay().get(), place.history(), given, kinds, workspaces);
        }
        if (files.isEmpty() && isOwnEngine) {
            if (Files.isDirectory(USUAL)) {
                return Sources.read(List.of(USUAL));
            }
            throw new BadInput("Name the files to run: a PipelineRun, TaskRun, Pipeline or Task, or a directory with"
                    + " one. Without a name they are looked for in " + USUAL + ", which is not here.");
        }
        return Sources.read(files);
    }

    private int resume(RunJob job, RunDirectory directory, Place place) throws IOException, InterruptedException {
        if (!params.isEmpty()
                || pipeline.isPresent()
                || task.isPresent()
                || earlier.replay().isPresent()) {
            throw new BadInput(
                    "--resume takes params and pipeline from the earlier run: leave --param, --pipeline, --task"
                            + " and --replay out.");
        }
        if (!workspaces.isEmpty()) {
            throw new BadInput("--resume takes the workspaces of the earlier run: leave --workspace out.");
        }
        if (earlier.from().isPresent() && earlier.only().isPresent()) {
            throw new BadInput("--from and --only: choose one of them");
        }
        var old = directory.read();
        if (isOwnEngine && old.run().spec().array("workspaces").toString().contains("\"volumeClaimTemplate\"")) {
            throw new BadInput("The workspaces of " + old.id() + " are on the server that it ran on: use --server.");
        }
        var given = Sources.read(files);
        var kinds = KnownKinds.with(given, place.definitions());
        var documents = Replay.merged(old, directory, given, kinds);
        var definition = Replay.pipelineSpec(old, documents);
        var resumption = new Resumption(old, definition, new Resumption.Choice(earlier.from(), earlier.only()));
        var run = Document.remembered(directory.path().resolve("run.yaml"), resumption.run());
        var plan = new RunPlan(
                KnownKinds.with(documents, place.definitions()),
                documents.stream().filter(document -> !document.isRun()).toList(),
                run,
                Optional.of(earlier.only().isPresent() ? resumption.run().object("spec", "pipelineSpec") : definition),
                volumes(old, directory),
                List.of("Going on from " + old.id()
                        + (resumption.done().isEmpty()
                                ? "."
                                : ", where " + String.join(", ", resumption.done()) + " succeeded.")));
        return job.run(plan, Optional.of(resumption));
    }

    private static List<WorkspaceVolume> volumes(RunRecord old, RunDirectory directory) {
        var volumes = new ArrayList<WorkspaceVolume>();
        for (var volume : old.volumes()) {
            var kept = directory.workspaces().resolve(volume.claim());
            if (volume.writable()) {
                volumes.add(volume);
            } else if (Files.isDirectory(kept)) {
                volumes.add(volume.from(kept));
            } else {
                throw new BadInput("The files of workspace " + volume.workspace() + " of " + old.id()
                        + " are gone: they are kept of runs that did not succeed, and with --keep. Run all of it again"
                        + " with --replay " + old.id() + ".");
            }
        }
        return volumes;
    }
}
