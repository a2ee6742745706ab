package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.notebook.RunnerProcess;
import dev.towtank.app.report.NotebookPage;
import dev.towtank.app.run.ExitCodes;
import dev.towtank.app.run.view.CellTable;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.controllers.notebooks.source.NotebookProgram;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs a notebook, without a cluster and without YAML.
@Command(
        name = "notebook",
        description = {
            "Runs a notebook cell by cell in a fresh kernel, without a cluster: notebook run FILE.ipynb.",
            "Ends with 0 when all cells succeeded, 1 when one failed, 2 when it could not be started, 3 when it was"
                    + " cancelled, 4 when it took too long."
        },
        sortOptions = false)
final class NotebookCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(arity = "2", paramLabel = "run FILE", description = "What to do, and the notebook.")
    private List<String> words = List.of();

    @Option(
            names = {"-p", "--param"},
            paramLabel = "NAME=VALUE",
            description = "A parameter, set behind the cell that is tagged 'parameters'.")
    private List<String> parameters = List.of();

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "For the whole notebook (1800 by default).")
    private double timeout = 1800;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where the notebook goes as it was executed; the one that is run stays as it is.")
    private @Nullable Path output;

    @Option(names = "--report", paramLabel = "FILE.html", description = "The executed notebook as one HTML page.")
    private @Nullable Path report;

    @Option(names = "--golden", paramLabel = "FILE", description = "A notebook whose outputs are the right ones.")
    private @Nullable Path golden;

    NotebookCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!words.getFirst().equals("run")) {
            throw new Failure("There is no 'notebook " + words.getFirst() + "'. Try 'notebook run FILE.ipynb'.");
        }
        var notebook = Path.of(words.getLast());
        if (!Files.isRegularFile(notebook)) {
            throw new Failure("There is no notebook " + notebook + ".");
        }
        var scratch = Files.createTempDirectory("towtank-notebook");
        try {
            return run(notebook, scratch);
        } finally {
            Directories.deleteAll(scratch);
        }
    }

    private int run(Path notebook, Path scratch) throws IOException, InterruptedException {
        var runner = Files.write(scratch.resolve("notebook_runner.py"), NotebookProgram.runner());
        var executed = output == null ? scratch.resolve("executed.ipynb") : output;
        var results = scratch.resolve("results.json");
        var table = new CellTable[] {CellTable.of(String.valueOf(notebook.getFileName()))};
        int code;
        List<String> other;
        try (var screen = Screen.cells(surroundings);
                var process = RunnerProcess.start(runner, arguments(notebook, executed, results))) {
            surroundings.signals().subscribe(_ -> process.cancel());
            code = process.follow(event -> {
                var now = surroundings.clock().instant();
                table[0] = table[0].with(event, now);
                screen.show(table[0], now);
            });
            other = process.otherLines();
            screen.end(table[0], traceback(executed), surroundings.clock().instant());
        }
        if (table[0].finished().isEmpty()) {
            throw new Failure("The runner ended with " + code + " before it began:\n" + String.join("\n", other));
        }
        report(notebook, executed, results);
        return exitCode(code);
    }

    private List<String> arguments(Path notebook, Path executed, Path results) {
        var line = new ArrayList<String>();
        parameters.forEach(parameter -> line.addAll(List.of("-p", parameter)));
        line.addAll(List.of("--timeout", Double.toString(timeout)));
        line.addAll(List.of("--output", executed.toAbsolutePath().toString(), "--results", results.toString()));
        if (golden != null) {
            line.addAll(List.of("--golden", golden.toString()));
        }
        line.addAll(List.of("--", notebook.toString()));
        return line;
    }

    private static int exitCode(int code) {
        return switch (code) {
            case 0 -> ExitCodes.SUCCEEDED;
            case 2 -> ExitCodes.BAD_INPUT;
            case 124 -> ExitCodes.TIMED_OUT;
            case 143 -> ExitCodes.CANCELLED;
            default -> ExitCodes.FAILED;
        };
    }

    /// Of the cell that failed, as Python tells it.
    private static List<String> traceback(Path executed) throws IOException {
        if (!Files.isRegularFile(executed)) {
            return List.of();
        }
        return JsonText.parseObject(Files.readAllBytes(executed)).objects("cells").stream()
                .flatMap(cell -> cell.objects("outputs").stream())
                .filter(each -> each.string("output_type").equals("error"))
                .flatMap(each -> each.array("traceback").strings().stream())
                .flatMap(String::lines)
                .toList();
    }

    private void report(Path notebook, Path executed, Path results) throws IOException {
        if (report == null) {
            return;
        }
        var page = NotebookPage.of(
                String.valueOf(notebook.getFileName()),
                Files.isRegularFile(executed) ? JsonText.parseObject(Files.readAllBytes(executed)) : Json.Obj.EMPTY,
                JsonText.parseObject(Files.readAllBytes(results)));
        Files.writeString(report, page, StandardCharsets.UTF_8);
        surroundings.text().println("Wrote " + report + ".");
    }
}
