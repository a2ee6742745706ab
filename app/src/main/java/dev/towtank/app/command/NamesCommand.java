package dev.towtank.app.command;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.client.Connection;
import dev.towtank.app.client.ObjectClient;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.Sources;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.UnpackLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/// Lists names, one a line, for shells that complete what is being typed.
@Command(name = "names", hidden = true, description = "Lists names that may come next, for shells.")
final class NamesCommand implements Callable<Integer> {

    enum What {
        RUNS,
        TASKS,
        PIPELINES,
        IMAGES,
        OBJECTS
    }

    /// What means something to a shell is not offered: who presses return might run it.
    private static final Pattern PLAIN = Pattern.compile("[\\w.:/@+][\\w.:/@+-]*");

    private static final String TASK = "tekton.dev/pipelineTask";

    private final Surroundings surroundings;
    private final Function<String[], CommandLine> program;

    @Parameters(
            index = "0",
            paramLabel = "WHAT",
            description = "runs, tasks, pipelines, images, or objects: kinds and their names.")
    private What what = What.RUNS;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "WORD",
            description = "What was typed before: a command, and what came behind it. After a --.")
    private List<String> words = List.of();

    /// @param program as it understands the words
    NamesCommand(Surroundings surroundings, Function<String[], CommandLine> program) {
        this.surroundings = surroundings;
        this.program = program;
    }

    // Who presses a key wants no message: what cannot be read has no names.
    @Override
    public Integer call() {
        surroundings.stop().leaveAtOnce();
        try {
            names(Typed.of(words, program)).stream()
                    .filter(name -> PLAIN.matcher(name).matches())
                    .forEach(surroundings.out()::println);
        } catch (IOException | BadInput | Failure | ClientProblem | StatusError e) {
            return ExitCode.SOFTWARE;
        }
        return ExitCode.OK;
    }

    private List<String> names(Typed typed) throws IOException {
        return switch (what) {
            case RUNS -> runs(typed);
            case TASKS -> tasks(typed);
            case PIPELINES -> defined("Pipeline", typed);
            case IMAGES -> images(typed);
            case OBJECTS -> objects(typed);
        };
    }

    private List<String> runs(Typed typed) throws IOException {
        return Stream.concat(history(typed).all().stream().map(RunDirectory::id), Stream.of("last"))
                .toList();
    }

    /// Of the run that is named, or of the files that a run is to be made of.
    private List<String> tasks(Typed typed) throws IOException {
        var resumed = typed.option("--resume");
        if (typed.command().equals("run") && resumed.isEmpty()) {
            return defined("Task", typed);
        }
        var known = runs(typed);
        var run =
                resumed.or(() -> typed.others().stream().filter(known::contains).findFirst());
        return history(typed).find(run.orElse("last")).read().children().stream()
                .map(child -> child.labels().getOrDefault(TASK, ""))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private static List<String> defined(String kind, Typed typed) {
        return Sources.read(typed.others().stream().map(Path::of).toList()).stream()
                .filter(document -> document.isTekton(kind))
                .map(Document::name)
                .toList();
    }

    private List<String> images(Typed typed) throws IOException {
        var directory = directory(typed).imageStore();
        if (Files.notExists(directory)) {
            return List.of();
        }
        try (var store = ImageStore.use(directory, UnpackLimits.USUAL)) {
            return store.list().stream().map(ImageStore.Named::name).toList();
        }
    }

    /// Kinds, and then names of that kind. What is described may also be a run.
    private List<String> objects(Typed typed) throws IOException {
        var kind = typed.others().stream().findFirst();
        var local = kind.isEmpty() && typed.command().equals("describe") ? runs(typed) : List.<String>of();
        var kubeconfig = typed.option("--kubeconfig").map(Path::of);
        if (kubeconfig.isEmpty() && !ServerOption.isRunning(directory(typed))) {
            return local;
        }
        var file = kubeconfig.orElseGet(() -> directory(typed).kubeconfig());
        try (var client = new ApiClient(Connection.read(file))) {
            var namespace = typed.option("--namespace").orElseGet(client::namespace);
            var objects = new ObjectClient(client, namespace);
            return kind.isPresent()
                    ? objects.list(kind.get()).stream().map(Resource::name).toList()
                    : Stream.concat(objects.kinds().stream(), local.stream()).toList();
        }
    }

    private RunHistory history(Typed typed) {
        return new RunHistory(directory(typed).runs());
    }

    private DataDirectory directory(Typed typed) {
        var named = typed.option("--data").map(Path::of).orElse(null);
        return DataDirectory.locate(named, surroundings.environment());
    }

    /// A command that is not complete yet, as far as it can be understood.
    ///
    /// @param others what belongs to no option
    private record Typed(String command, List<String> others, Optional<ParseResult> parsed) {

        static Typed of(List<String> words, Function<String[], CommandLine> program) {
            var given = words.toArray(String[]::new);
            var line = program.apply(given);
            line.getSubcommands()
                    .values()
                    .forEach(command -> command.getCommandSpec().parser().collectErrors(true));
            line.getCommandSpec().parser().collectErrors(true);
            var result = line.parseArgs(given);
            if (!result.hasSubcommand()) {
                return new Typed("", List.of(), Optional.empty());
            }
            var parsed = result.subcommand();
            var others = parsed.matchedPositionals().stream()
                    .flatMap(each -> each.originalStringValues().stream())
                    .toList();
            return new Typed(parsed.commandSpec().name(), others, Optional.of(parsed));
        }

        Optional<String> option(String name) {
            return parsed.filter(result -> result.hasMatchedOption(name))
                    .flatMap(result -> result.matchedOption(name).originalStringValues().stream()
                            .findFirst());
        }
    }
}
