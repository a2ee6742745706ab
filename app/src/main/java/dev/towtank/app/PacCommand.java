package dev.towtank.app;

import dev.towtank.controllers.pipelinesascode.source.LocalCheckout;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Pipelines-as-Code without a forge: what a push or a pull request would run.
@Command(
        name = "pac",
        description = {
            "Shows or runs what the files in .tekton come to when they are pushed, from the working tree and without a forge.",
            "For example: 'pac resolve --event pull_request --base main', 'pac run', 'pac watch ~/src/app'."
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

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description = "resolve prints the runs, run runs them, watch runs them for every new commit.")
    private Action action = Action.RESOLVE;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "A directory with .tekton in it (default: this one).")
    private Path directory = Path.of(".");

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

    PacCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var checkout = new LocalCheckout(directory.toAbsolutePath().normalize());
        try {
            return switch (action) {
                case RESOLVE -> {
                    print(found(checkout));
                    yield ExitCode.OK;
                }
                case RUN -> run(found(checkout));
                case WATCH -> watch(checkout);
            };
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
    }

    private List<Json.Obj> found(LocalCheckout checkout) throws IOException, InterruptedException {
        var runs = checkout.resolve(new LocalCheckout.Pretended(event.wire(), branch, base));
        if (runs.isEmpty()) {
            throw new Failure("Nothing in " + directory.resolve(".tekton") + " is for a " + event.wire()
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

    private int watch(LocalCheckout checkout) throws IOException, InterruptedException {
        var last = checkout.head();
        surroundings.text().println("Waiting for commits in " + directory + "; Ctrl-C ends this.");
        var never = new CountDownLatch(1);
        while (!never.await(Math.max(1, every), TimeUnit.SECONDS)) {
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
}
