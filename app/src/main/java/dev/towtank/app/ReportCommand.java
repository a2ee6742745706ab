package dev.towtank.app;

import dev.towtank.app.client.ServerRun;
import dev.towtank.app.report.ReportPage;
import dev.towtank.app.report.StoryReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Makes a page of a run.
@Command(
        name = "report",
        description = {
            "Makes one HTML page of a run, to keep or to attach to a pull request.",
            "It has the graph, a timeline, params, results and logs, and needs no network."
        },
        sortOptions = false)
final class ReportCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "RUN", description = "A PipelineRun or TaskRun: its name, or pr/NAME, tr/NAME.")
    private String run = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to write it (default: the name of the run with .html); - for standard output.")
    private @Nullable Path output;

    @Mixin
    private final ServerOption server = new ServerOption();

    ReportCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var client = server.connect(surroundings)) {
            var source = ServerRun.find(client, server.namespace(client), run);
            var story = StoryReader.read(source, surroundings.clock().instant());
            var page = ReportPage.of(story);
            var file = output == null ? Path.of(story.name() + ".html") : output;
            if (file.toString().equals("-")) {
                surroundings.text().print(page);
                surroundings.out().flush();
            } else {
                write(file, page);
                surroundings.text().println("Wrote " + file + ".");
            }
            return ExitCode.OK;
        }
    }

    private static void write(Path file, String page) {
        try {
            Files.writeString(file, page, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure(
                    "Cannot write the report to " + file + ": " + e + ". Choose another file with -o FILE.", e);
        }
    }
}
