package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.controllers.pipelinesascode.source.LocalCheckout;
import dev.towtank.controllers.pipelinesascode.source.RemoteRepository;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Pipelines-as-Code without a forge: what a push or a pull request would run.
@Command(
        name = "pac",
        description = {
            "Shows or runs what the files in .tekton come to when they are pushed, from the working tree and without a forge.",
            "A repository elsewhere is read, and watched, by git's own protocol: its forge need not know us.",
            "For example: 'pac resolve --event pull_request --base main', 'pac run', 'pac watch https://example.com/app.git'."
        },
        sortOptions = false)
final class PacCommand implements Callable<Integer> {

    enum Action {
        RESOLVE,
        RUN,
        WATCH
    }

    enum Event {
        PUSH,
        PULL_REQUEST;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Surroundings surroundings;

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description = "resolve prints the runs, run runs them, watch runs them for every new commit.")
    private Action action = Action.RESOLVE;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "REPOSITORY",
            defaultValue = ".",
            description = "A directory with .tekton in it (default: this one), or the address of a repository.")
    private String place = ".";

    @Option(
            names = "--event",
            paramLabel = "EVENT",
            defaultValue = "push",
            description = "push or pull_request (default: ${DEFAULT-VALUE}).")
    private Event event = Event.PUSH;

    @Option(
            names = "--branch",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "The branch that is pushed, or that the pull request is made from (default: the current one).")
    private String branch = "";

    @Option(
            names = "--base",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The branch that the pull request is made for (default: main).")
    private String base = "";

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "How often watch looks for a new commit (default: ${DEFAULT-VALUE}).")
    private int every;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with the token or password for a repository elsewhere.")
    private @Nullable Path tokenFile;

    PacCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            return RemoteRepository.isAddress(place) ? elsewhere() : here();
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
    }

    private int here() throws IOException, InterruptedException {
        var checkout = new LocalCheckout(Path.of(place).toAbsolutePath().normalize());
        return switch (action) {
            case RESOLVE -> {
                print(found(checkout));
                yield ExitCode.OK;
            }
            case RUN -> run(found(checkout));
            case WATCH -> watch(checkout);
        };
    }

    private int elsewhere() throws IOException, InterruptedException {
        if (event != Event.PUSH) {
            throw new Failure("A repository elsewhere shows its branches and no pull requests: leave out --event, or"
                    + " name a directory.");
        }
        var login = tokenFile == null
                ? Map.<String, String>of()
                : Map.of("token", Files.readString(tokenFile).strip());
        var repository = new RemoteRepository(place, login, surroundings.clock());
        if (action == Action.WATCH) {
            return watch(repository);
        }
        var ref = ref(repository.refs());
        var runs = some(repository.pushed(ref, ""));
        if (action == Action.RUN) {
            return run(runs);
        }
        print(runs);
        return ExitCode.OK;
    }

    private String ref(Map<String, String> refs) {
        var names = branch.isEmpty() ? List.of("main", "master") : List.of(branch);
        return names.stream()
                .flatMap(name -> Stream.of(name, "refs/heads/" + name, "refs/tags/" + name))
                .filter(refs::containsKey)
                .findFirst()
                .orElseThrow(() -> new Failure(place + " has no branch " + String.join(" or ", names)
                        + ". Name one with --branch; it has: " + String.join(", ", refs.keySet())));
    }

    private List<Json.Obj> found(LocalCheckout checkout) throws IOException, InterruptedException {
        return some(checkout.resolve(new LocalCheckout.Pretended(event.wire(), branch, base)));
    }

    private List<Json.Obj> some(List<Json.Obj> runs) {
        if (runs.isEmpty()) {
            throw new Failure("Nothing in .tekton of " + place + " is for a " + event.wire()
                    + ": the annotations on-event, on-target-branch or on-cel-expression of its runs say otherwise."
                    + " Try another --event, --branch or --base.");
        }
        return runs;
    }

    private void print(List<Json.Obj> runs) {
        var texts = runs.stream().map(YamlText::write).toList();
        surroundings.text().print(String.join("---\n", texts));
    }

    /// One after the other, with the code of the first that did not succeed.
    private int run(List<Json.Obj> runs) throws IOException {
        int code = ExitCode.OK;
        for (var run : runs) {
            var file = Files.createTempFile("towtank-pac", ".yaml");
            try {
                Files.writeString(file, YamlText.write(run));
                var arguments = new ArrayList<>(List.of("run", file.toString()));
                int ended = Program.run(surroundings, arguments.toArray(String[]::new));
                code = code == ExitCode.OK ? ended : code;
            } finally {
                Files.deleteIfExists(file);
            }
        }
        return code;
    }

    /// Opens when somebody wants us to end. A run takes such wishes for itself, so it is made to tell of them.
    private CountDownLatch end() {
        var end = new CountDownLatch(1);
        var signals = surroundings.signals();
        surroundings = new Surroundings(
                surroundings.environment(),
                surroundings.out(),
                surroundings.err(),
                surroundings.launcher(),
                surroundings.clock(),
                surroundings.stop(),
                listener -> signals.subscribe(wish -> {
                    end.countDown();
                    listener.accept(wish);
                }),
                surroundings.engine());
        surroundings.signals().subscribe(_ -> {});
        return end;
    }

    private int watch(LocalCheckout checkout) throws IOException, InterruptedException {
        var last = checkout.head();
        surroundings.text().println("Waiting for commits in " + place + "; Ctrl-C ends this.");
        var end = end();
        while (!end.await(Math.max(1, every), TimeUnit.SECONDS)) {
            var head = checkout.head();
            if (!head.equals(last)) {
                last = head;
                surroundings.text().println("Commit " + head + ":");
                try {
                    run(found(checkout));
                } catch (Failure | IllegalArgumentException e) {
                    surroundings.err().println(e.getMessage());
                }
            }
        }
        return ExitCode.OK;
    }

    /// Every branch and tag that moves, or one of them.
    private int watch(RemoteRepository repository) throws IOException, InterruptedException {
        var last = repository.refs();
        if (!branch.isEmpty()) {
            ref(last);
        }
        surroundings.text().println("Waiting for commits in " + place + "; Ctrl-C ends this.");
        var end = end();
        var problem = "";
        while (!end.await(Math.max(1, every), TimeUnit.SECONDS)) {
            try {
                var now = repository.refs();
                for (var ref : now.keySet()) {
                    if (!now.get(ref).equals(last.get(ref)) && isWatched(ref)) {
                        pushed(repository, ref, now.get(ref), last.getOrDefault(ref, ""));
                    }
                }
                last = now;
                problem = "";
            } catch (IOException e) {
                // It may come back; once is enough to say that it is gone.
                if (!problem.equals(e.getMessage())) {
                    problem = String.valueOf(e.getMessage());
                    surroundings.err().println(problem);
                }
            }
        }
        return ExitCode.OK;
    }

    private boolean isWatched(String ref) {
        return branch.isEmpty()
                || ref.equals(branch)
                || ref.replaceFirst("^refs/(heads|tags)/", "").equals(branch);
    }

    private void pushed(RemoteRepository repository, String ref, String commit, String before)
            throws IOException, InterruptedException {
        surroundings.text().println("Commit " + commit + " of " + ref.replaceFirst("^refs/(heads|tags)/", "") + ":");
        try {
            run(some(repository.pushed(ref, before)));
        } catch (Failure | IllegalArgumentException e) {
            surroundings.err().println(e.getMessage());
        }
    }
}
