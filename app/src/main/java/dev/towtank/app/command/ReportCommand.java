package dev.towtank.app.command;

import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.client.ServerRun;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.report.JunitSummary;
import dev.towtank.app.report.MarkdownSummary;
import dev.towtank.app.report.ReportPage;
import dev.towtank.app.report.RunSource;
import dev.towtank.app.report.RunStory;
import dev.towtank.app.report.StoryReader;
import dev.towtank.app.run.history.Export;
import dev.towtank.app.run.history.KeptRun;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.SeenRun;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.shell.ServerOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
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
    private static final Path STANDARD_OUTPUT = Path.of("-");

    /// What is made of a run beside its page.
    enum Summary {
        MD,
        JUNIT;

        private String ending() {
            return this == MD ? ".md" : ".xml";
        }

        private String of(RunStory story) {
            return switch (this) {
                case MD -> MarkdownSummary.of(story);
                case JUNIT -> JunitSummary.of(story);
            };
        }
    }

    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "RUN",
            description = {
                "A PipelineRun or TaskRun of the server: its name, or pr/NAME, tr/NAME;",
                "a run that 'towtank run' remembers, or 'last'; or what 'towtank export' wrote."
            })
    private String run = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Where to write it (default: the name of the run with .html, .md or .xml); - for standard output.")
    private @Nullable Path output;

    @Option(
            names = "--summary",
            paramLabel = "FORMAT",
            description =
                    "In place of the page: md, a few lines of Markdown for a pull request, or junit, XML for build servers.")
    private @Nullable Summary summary;

    @Mixin
    private final ServerOption server = new ServerOption();

    ReportCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        tell(write(run, server, Optional.ofNullable(summary), Optional.ofNullable(output)));
        return ExitCode.OK;
    }

    void tell(Path written) {
        if (!written.equals(STANDARD_OUTPUT)) {
            surroundings.text().println("Wrote " + written + ".");
        }
    }

    /// @return where it is
    Path write(String run, ServerOption server, Optional<Summary> summary, Optional<Path> output) throws IOException {
        try {
            var story = story(run, server);
            var page = summary.map(format -> format.of(story)).orElseGet(() -> ReportPage.of(story));
            var ending = summary.map(Summary::ending).orElse(".html");
            var file = output.orElseGet(() -> Path.of(story.name() + ending));
            if (file.equals(STANDARD_OUTPUT)) {
                surroundings.text().print(page);
                surroundings.out().flush();
            } else {
                write(file, page);
            }
            return file;
        } catch (BadInput e) {
            throw new Failure(String.join("\n", e.problems()), e);
        }
    }

    /// Where the run is: in a directory or file, on the server, or among those that 'run' remembers.
    private RunStory story(String run, ServerOption server) throws IOException {
        var now = surroundings.clock().instant();
        var place = Path.of(run);
        if (Files.isDirectory(place)) {
            return StoryReader.read(new KeptRun(new RunDirectory(place)), now);
        }
        if (Files.isRegularFile(place)) {
            var unpacked = Files.createTempDirectory("towtank-report");
            try {
                return StoryReader.read(new KeptRun(Export.read(place, unpacked)), now);
            } finally {
                Directories.deleteAll(unpacked);
            }
        }
        if (server.isThere(surroundings)) {
            try (var client = server.connect(surroundings)) {
                var found = ServerRun.find(client, server.namespace(client), run);
                var seen = history(server).recordOf(found.run()).<RunSource>map(kept -> new SeenRun(found, kept));
                return StoryReader.read(seen.orElse(found), now);
            } catch (ClientProblem e) {
                return remembered(run, server, now).orElseThrow(() -> e);
            }
        }
        return StoryReader.read(kept(run, server), now);
    }

    private KeptRun kept(String run, ServerOption server) {
        return new KeptRun(history(server).find(run));
    }

    private RunHistory history(ServerOption server) {
        return new RunHistory(server.directory(surroundings).runs());
    }

    private Optional<RunStory> remembered(String run, ServerOption server, Instant now) {
        try {
            return Optional.of(StoryReader.read(kept(run, server), now));
        } catch (BadInput e) {
            return Optional.empty();
        }
    }

    private static void write(Path file, String page) {
        try {
            Files.writeString(file, page, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure(
                    "Cannot write the report to " + file + ": " + reason(e) + ". Choose another file with -o FILE.", e);
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "this user may not write there";
            case NoSuchFileException _ -> "there is no such directory";
            default -> String.valueOf(e.getMessage());
        };
    }
}
