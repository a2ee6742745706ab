package dev.towtank.node.pods;

import dev.towtank.cluster.InHand;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.logs.SecretMask;
import dev.towtank.node.pods.ContainerFacts.Exited;
import dev.towtank.node.pods.ContainerFacts.Problem;
import dev.towtank.node.pods.ContainerFacts.Running;
import dev.towtank.node.pods.ContainerFacts.StartedOn;
import dev.towtank.node.probes.Check;
import dev.towtank.node.sandbox.ContainerSpec.Mount;
import dev.towtank.node.sandbox.Exit;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Starts the containers of a pod, finds those of an earlier server again, and takes note of their ends.
/// Its pod's worker alone calls it.
final class ContainerStarter {

    private static final System.Logger LOG = System.getLogger(ContainerStarter.class.getName());
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
    private static final Duration NEXT_LOOK = Duration.ofSeconds(5);
    private static final Duration START_CHECK = Duration.ofMillis(250);
    private static final Duration HOOK_TIMEOUT = Duration.ofHours(1);

    private final NodeParts parts;
    private final PodMemory memory;
    private final PodWorker worker;
    private final PodPreparation preparation;
    private final ApiSources sources;
    private final ContainerStopper stopper;
    private final ContainerProbes probes;
    private final ContainerImages images;
    private final Map<String, Integer> imageFailures = new HashMap<>();
    private final Set<String> pulling = new HashSet<>();

    ContainerStarter(
            NodeParts parts,
            PodMemory memory,
            PodWorker worker,
            PodPreparation preparation,
            ApiSources sources,
            ContainerStopper stopper) {
        this.parts = parts;
        this.memory = memory;
        this.worker = worker;
        this.preparation = preparation;
        this.sources = sources;
        this.stopper = stopper;
        this.probes = new ContainerProbes(parts, memory);
        this.images = new ContainerImages(parts, sources);
    }

    void backOff(PodActions.BackingOff waiting) {
        var pod = memory.pod();
        var who = Containers.fullName(pod);
        parts.events()
                .warning(
                        pod,
                        part(waiting.container()),
                        "BackOff",
                        "Back-off restarting failed container " + waiting.container() + " in pod " + who);
        var message = "back-off " + Durations.format(waiting.backOff().delay()) + " restarting failed container="
                + waiting.container() + " pod=" + who
                + parts.ports().taken(pod).map(taken -> "; " + taken).orElse("");
        memory.change(
                waiting.container(), facts -> facts.with(new Problem("CrashLoopBackOff", message, waiting.until())));
    }

    void start(PodActions.Start start) throws InterruptedException {
        var container = Containers.find(memory.pod(), start.container()).orElseThrow();
        try {
            switch (images.ready(memory.pod(), container)) {
                case ContainerImages.Readiness.Ready ready -> {
                    tellPulled(container, ready.pulled());
                    startOn(ready, container, start.backOff());
                }
                case ContainerImages.Readiness.Waiting waiting -> awaitImage(container, waiting);
            }
        } catch (StartProblem e) {
            tell(container, e);
        }
    }

    /// Only so many are started at once; who waits for an image is not counted.
    private void startOn(ContainerImages.Readiness.Ready image, Json.Obj container, ContainerFacts.BackOff backOff)
            throws StartProblem, InterruptedException {
        parts.starts().acquire();
        try {
            start(image, container, backOff);
        } catch (IOException e) {
            tell(container, new StartProblem("RunContainerError", String.valueOf(e.getMessage())));
        } finally {
            parts.starts().release();
        }
    }

    /// The worker is free meanwhile, and woken when the image is here, or will not come.
    private void awaitImage(Json.Obj container, ContainerImages.Readiness.Waiting waiting) {
        var name = Containers.name(container);
        if (waiting.isNew()) {
            pulling.add(name);
            event(name, "Pulling", "Pulling image \"" + container.string("image") + "\"");
        }
        var reason = Containers.init(memory.pod()).isEmpty() ? "ContainerCreating" : "PodInitializing";
        var until = parts.timers().instant().plus(NEXT_LOOK);
        memory.change(name, facts -> facts.with(new Problem(reason, progress(waiting.pull()), until)));
        if (waiting.isNew()) {
            waiting.pull()
                    .whenDone(() -> memory.change(
                            name,
                            facts -> facts.with(
                                    new Problem(reason, "", parts.timers().instant()))));
        }
    }

    /// For who waits; what comes at once is not worth a word.
    private static String progress(ImageMap.Pull pull) {
        long come = pull.come() >> 20;
        return come == 0 ? "" : "pulling its image, " + come + " MiB have come";
    }

    private void tellPulled(Json.Obj container, Optional<ImageMap.Pulled> pulled) {
        var image = "image \"" + container.string("image") + "\"";
        event(
                Containers.name(container),
                "Pulled",
                pulled.map(how -> "Successfully pulled %s in %s (%s including waiting). Image size: %d bytes."
                                .formatted(image, seconds(how.took()), seconds(how.took()), how.bytes()))
                        .orElse("Container " + image + " already present on machine"));
        imageFailures.remove(Containers.name(container));
        pulling.remove(Containers.name(container));
    }

    private static String seconds(Duration time) {
        return time.toMillis() < 1000 ? time.toMillis() + "ms" : "%.3fs".formatted(time.toMillis() / 1000.0);
    }

    private void start(ContainerImages.Readiness.Ready image, Json.Obj container, ContainerFacts.BackOff backOff)
            throws StartProblem, IOException {
        var pod = memory.pod();
        var name = Containers.name(container);
        var plan = plan(pod, container, image.image());
        var facts = memory.facts().of(name);
        int attempt = facts.hasRun() ? facts.restarts() + 1 : facts.restarts();
        var files = files(pod, container, attempt);
        var run = new ContainerRun(
                parts, pod, plan, attempt, files.terminationMessage().map(Mount::source), this::ended);
        event(name, "Created", "Container created");
        memory.began(run);
        var program = program(pod, container);
        if (program.isPresent()) {
            var now = parts.timers().instant();
            running(run, startedOn(container, image), now, backOff);
            run.run(program.get(), new ProgramContainer(parts, worker, run, files));
            settle(run, container, now);
        } else {
            var spec = plan.spec(pod, run, plan.arguments(), plan.environment(), files);
            var process = parts.sandbox().start(spec);
            // Before anybody can tell of its end.
            running(run, startedOn(container, image), process.startedAt(), backOff);
            run.adopt(process);
            settle(run, container, process.startedAt());
        }
        run.beside("started", () -> tellStarted(run));
        removeOld(pod, name, attempt);
    }

    private static StartedOn startedOn(Json.Obj container, ContainerImages.Readiness.Ready image) {
        return new StartedOn(container.string("image"), image.id(), container.object("resources"));
    }

    // A command that cannot be executed shows within this time, and was then not started.
    private void tellStarted(ContainerRun run) {
        try {
            parts.timers().pause(START_CHECK);
            if (run.claimStarted()) {
                event(run.name(), "Started", "Container started");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void running(ContainerRun run, StartedOn image, Instant startedAt, ContainerFacts.BackOff backOff) {
        if (parts.network().of(memory.pod().uid()).isEmpty()) {
            parts.ports().use(memory.pod());
        }
        memory.change(
                run.name(), known -> known.withImage(image).running(new Running(run.publicId(), startedAt), backOff));
    }

    private Optional<ContainerProgram> program(Resource pod, Json.Obj container) {
        return parts.programs().stream()
                .filter(each -> each.runs(pod, container))
                .findFirst();
    }

    private ContainerPlan.Files files(Resource pod, Json.Obj container, int attempt) throws IOException {
        var path = container.string("terminationMessagePath");
        if (path.isEmpty()) {
            return new ContainerPlan.Files(
                    Optional.of(preparation.hosts()), Optional.empty(), Optional.empty(), Optional.empty());
        }
        var file = PodFiles.terminationMessage(parts, pod.uid(), Containers.name(container), attempt);
        PodFiles.makeForAnybody(file);
        return new ContainerPlan.Files(
                Optional.of(preparation.hosts()),
                Optional.of(new Mount(file, path, false)),
                Optional.empty(),
                Optional.empty());
    }

    // `kubectl logs --previous` reads the run before this one; older ones nobody asks for.
    private void removeOld(Resource pod, String name, int attempt) throws IOException {
        if (attempt >= 2) {
            PodFiles.remove(parts, pod.uid(), name, attempt - 2);
        }
    }

    /// After the start: hook, then probes.
    private void settle(ContainerRun run, Json.Obj container, Instant startedAt) {
        if (container.at("lifecycle", "postStart") instanceof Json.Obj handler) {
            run.beside("post-start hook", () -> {
                if (hookSucceeds(run, Check.of(container, handler))) {
                    probes.begin(run, container, startedAt);
                } else {
                    event(run.name(), "FailedPostStartHook", "PostStartHook failed");
                    var by = parts.timers()
                            .instant()
                            .plusSeconds(PodActions.graceSeconds(memory.pod(), container, Optional.empty()));
                    stopper.stop(new PodActions.Stop(run.name(), "FailedPostStartHook", by));
                }
            });
        } else {
            probes.begin(run, container, startedAt);
        }
    }

    private static boolean hookSucceeds(ContainerRun run, Check check) {
        try {
            return run.check(check, HOOK_TIMEOUT).success();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void ended(ContainerRun run, Exit exit) {
        var pod = memory.pod();
        var container = Containers.find(pod, run.name()).orElse(Json.Obj.EMPTY);
        if (exit instanceof Exit.NotStarted failed) {
            event(run.name(), "Failed", "Error: " + failed.message());
        } else if (run.claimStarted()) {
            event(run.name(), "Started", "Container started");
        }
        var startedAt = startedAt(run, exit);
        var said = message(
                run,
                exit,
                container,
                TerminationMessage.limit(pod, Containers.all(pod).size()));
        // What a program of ours says is data for whoever made the pod.
        var message = program(pod, container).isPresent()
                ? said
                : SecretMask.of(run.plan().masked()).masked(said);
        var reason = switch (exit) {
            case Exit.NotStarted failed -> failed.reason();
            case Exit.Lost _ -> "ContainerStatusUnknown";
            case Exit.Ended ended -> ended.outOfMemory() ? "OOMKilled" : ended.code() == 0 ? "Completed" : "Error";
        };
        var end = new Exited(run.publicId(), exit.code(), reason, message, startedAt, exit.at());
        memory.change(run, facts -> facts.exited(end));
    }

    private Instant startedAt(ContainerRun run, Exit exit) {
        return memory.facts().of(run.name()).instance() instanceof Running running
                ? running.startedAt()
                : run.process().map(process -> process.startedAt()).orElse(exit.at());
    }

    private static String message(ContainerRun run, Exit exit, Json.Obj container, int limit) {
        return switch (exit) {
            case Exit.NotStarted failed -> failed.message();
            case Exit.Lost(var reason, var _) -> reason;
            case Exit.Ended ended ->
                TerminationMessage.read(container, ended.code(), run.terminationFile(), run.log(), limit);
        };
    }

    /// Why it did not start, as status and as events.
    private void tell(Json.Obj container, StartProblem problem) {
        var name = Containers.name(container);
        var now = parts.timers().instant();
        if (Set.of("ErrImagePull", "InvalidImageName", "ErrImageNeverPull").contains(problem.reason())) {
            tellImage(container, problem, now);
            return;
        }
        warning(name, "Failed", "Error: " + problem.text());
        memory.change(name, facts -> facts.with(new Problem(problem.reason(), problem.text(), now.plus(RETRY))));
    }

    private void tellImage(Json.Obj container, StartProblem problem, Instant now) {
        var name = Containers.name(container);
        var image = container.string("image");
        int failures = imageFailures.merge(name, 1, Integer::sum);
        var wait = RETRY.multipliedBy(1L << Math.min(failures - 1, 5));
        var retryAt = now.plus(wait.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : wait);
        var reason = problem.reason();
        var message = problem.text();
        if (reason.equals("ErrImagePull") && failures > 1) {
            event(name, "BackOff", "Back-off pulling image \"" + image + "\"");
            message = "Back-off pulling image \"" + image + "\": ErrImagePull: " + message;
            reason = "ImagePullBackOff";
        } else if (reason.equals("ErrImagePull")) {
            if (!pulling.remove(name)) {
                event(name, "Pulling", "Pulling image \"" + image + "\"");
            }
            warning(name, "Failed", "Failed to pull image \"" + image + "\": " + message);
        } else {
            warning(name, reason.equals("InvalidImageName") ? "InspectFailed" : reason, message);
        }
        warning(name, "Failed", "Error: " + reason);
        var told = new Problem(reason, message, retryAt);
        memory.change(name, facts -> facts.with(told));
    }

    /// Takes up what an earlier server left: running containers, and those that ended meanwhile.
    void recover() {
        var pod = memory.pod();
        if (!Files.isDirectory(parts.runtime(pod.uid()))) {
            Containers.all(pod).forEach(container -> restore(pod, container));
            return;
        }
        if (!Containers.isDone(pod)) {
            preparation.restore(parts.timers().instant());
        }
        for (var container : Containers.all(pod)) {
            try {
                recover(pod, container);
            } catch (IOException e) {
                LOG.log(
                        Level.WARNING,
                        "cannot find container {0} of {1} again: {2}",
                        Containers.name(container),
                        pod.describe(),
                        e);
                restore(pod, container);
            }
        }
    }

    private void recover(Resource pod, Json.Obj container) throws IOException {
        var name = Containers.name(container);
        var attempts = PodFiles.attempts(parts, pod.uid(), name);
        var told = ContainerStatus.find(pod, name).orElse(Json.Obj.EMPTY);
        // A program that has not come to its process yet has left nothing but its status.
        boolean atBeginning = ContainerStatus.instance(told) instanceof Running
                && program(pod, container).isPresent();
        if ((attempts.isEmpty() && !atBeginning) || Containers.isDone(pod)) {
            restore(pod, container);
            return;
        }
        int attempt = attempts.isEmpty() ? (int) told.integer("restartCount") : attempts.getLast();
        if (ContainerStatus.instance(told) instanceof Exited exit
                && exit.id().equals("towtank://" + ContainerRun.id(pod.uid(), name, attempt))) {
            restore(pod, container);
            return;
        }
        join(pod, container, attempt, told);
    }

    private void join(Resource pod, Json.Obj container, int attempt, Json.Obj told) throws IOException {
        var name = Containers.name(container);
        var files = files(pod, container, attempt);
        var run = new ContainerRun(
                parts,
                pod,
                planOfRunning(pod, container),
                attempt,
                files.terminationMessage().map(Mount::source),
                this::ended);
        var previous = told.integer("restartCount") == attempt
                ? ContainerStatus.previous(told)
                : ContainerStatus.instance(told) instanceof Exited exit ? Optional.of(exit) : Optional.<Exited>empty();
        var process = parts.sandbox().join(run.trace());
        var program = program(pod, container);
        if (process.isEmpty() && program.isEmpty()) {
            restore(pod, container);
            return;
        }
        var startedAt = process.map(running -> running.startedAt())
                .orElseGet(() -> told.at("state", "running", "startedAt") instanceof Json.Str(var text)
                        ? ContainerStatus.instant(text)
                        : parts.timers().instant());
        memory.began(run);
        memory.change(
                name,
                _ -> ContainerFacts.restored(
                                new Running(run.publicId(), startedAt), previous, attempt, ContainerStatus.image(told))
                        .withReady(told.flag("ready"))
                        .withStarted(told.flag("started")));
        if (program.isPresent()) {
            run.run(program.get(), new ProgramContainer(parts, worker, run, files));
        } else {
            run.adopt(process.get());
        }
        probes.resume(run, container, startedAt, told.flag("started"));
    }

    private ContainerPlan plan(Resource pod, Json.Obj container, Image image) throws StartProblem {
        var beginning = parts.inHand().begin("node", pod);
        if (beginning instanceof InHand.SetAside aside) {
            throw new StartProblem(InHand.REASON, aside.message("the node"));
        }
        try (var _ = (InHand.Turn) beginning) {
            return ContainerPlan.of(parts, pod, container, image, sources, preparation.volumes());
        }
    }

    // What it was started with is not on disk; where it can no longer be made, exec and probes have less.
    private ContainerPlan planOfRunning(Resource pod, Json.Obj container) {
        try {
            return plan(pod, container, images.running(pod, container));
        } catch (StartProblem e) {
            LOG.log(
                    Level.WARNING,
                    "container {0} of {1} runs on without its environment: {2}",
                    Containers.name(container),
                    pod.describe(),
                    e.text());
            return ContainerPlan.unknown(Containers.name(container), container.string("image"));
        }
    }

    /// What the status says is all there is.
    private void restore(Resource pod, Json.Obj container) {
        var name = Containers.name(container);
        ContainerStatus.find(pod, name).ifPresent(told -> {
            var instance = ContainerStatus.instance(told) instanceof Running running
                    ? new Exited(
                            running.id(),
                            137,
                            "ContainerStatusUnknown",
                            parts.machineRestarted()
                                    ? "the machine was restarted while the container was running"
                                    : "The container could not be located when the pod was terminated",
                            running.startedAt(),
                            parts.timers().instant())
                    : ContainerStatus.instance(told);
            memory.change(
                    name,
                    _ -> ContainerFacts.restored(
                            instance,
                            ContainerStatus.previous(told),
                            (int) told.integer("restartCount"),
                            ContainerStatus.image(told)));
        });
    }

    private String part(String container) {
        return ContainerStopper.part(memory, container);
    }

    private void event(String container, String reason, String message) {
        if (Set.of("FailedPostStartHook", "Failed").contains(reason)) {
            warning(container, reason, message);
        } else {
            parts.events().normal(memory.pod(), part(container), reason, message);
        }
    }

    private void warning(String container, String reason, String message) {
        parts.events().warning(memory.pod(), part(container), reason, message);
    }
}
