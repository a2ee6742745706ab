package dev.towtank.app.command;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Kubeconfig;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.app.conformance.Api;
import dev.towtank.app.conformance.CatalogCopy;
import dev.towtank.app.conformance.Conformance;
import dev.towtank.app.conformance.Example;
import dev.towtank.app.conformance.Report;
import dev.towtank.app.conformance.Stage;
import dev.towtank.app.conformance.Verdict;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.LocalClient;
import dev.towtank.app.engine.PodRuntime;
import dev.towtank.app.shell.Logging;
import dev.towtank.app.shell.Scratch;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.model.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Tries examples of pipelines, as Tekton's own test does.
@Command(
        name = "conformance",
        description = "Creates every example of pipelines below a directory and tells which succeed.",
        sortOptions = false)
final class ConformanceCommand implements Callable<Integer> {

    enum Output {
        PRETTY,
        JSON
    }

    private final Surroundings surroundings;

    @Parameters(paramLabel = "DIR", description = "Where the YAML files are, such as 'examples' of tektoncd/pipeline.")
    private Path place = Path.of("");

    @Option(names = "--parallel", paramLabel = "N", description = "How many at once (default: two per processor).")
    private int parallel = 2 * Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            description = "How long one may take (default: ${DEFAULT-VALUE}).")
    private String timeout = "2m";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Uses the server that runs on this data directory, with the flags it has (default: a server of"
                            + " its own, which is given the flags that each example needs).")
    private @Nullable Path data;

    @Option(names = "--only", paramLabel = "TEXT", description = "Tries those alone whose names have TEXT in them.")
    private String only = "";

    @Option(
            names = "--scripts",
            description = "DIR is a checkout of tektoncd/catalog: tries the tests of all versions of its tasks by the"
                    + " scripts that it has for that, which run on this machine with your rights. They need bash,"
                    + " kubectl and python3 with PyYAML.")
    private boolean scripts;

    @Option(
            names = "--rewrite",
            paramLabel = "FROM=TO",
            description = "With --scripts: what addresses in the tests begin with, and what takes its place, such as"
                    + " the address of a server with copies of the repositories that they clone.")
    private Map<String, String> rewrites = new LinkedHashMap<>();

    @Option(names = "--output", paramLabel = "FORM", description = "pretty or json (default: ${DEFAULT-VALUE}).")
    private Output output = Output.PRETTY;

    ConformanceCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.configure();
        check();
        var begin = surroundings.clock().instant();
        var copy = scripts ? Files.createTempDirectory("towtank-catalog") : null;
        try {
            var tests =
                    copy == null ? Optional.<CatalogCopy>empty() : Optional.of(CatalogCopy.of(place, rewrites, copy));
            var examples = examples(tests);
            var results =
                    data == null ? onOwnServer(tests, examples) : onRunning(new DataDirectory(data), tests, examples);
            return told(new Report(
                    results, Duration.between(begin, surroundings.clock().instant())));
        } finally {
            if (copy != null) {
                Scratch.delete(copy);
            }
        }
    }

    private int told(Report report) {
        if (output == Output.JSON) {
            surroundings.out().println(report.json());
        } else {
            report.pretty().forEach(surroundings.out()::println);
        }
        return report.isGood() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void check() {
        if (parallel < 1) {
            throw new Failure("--parallel must be at least 1.");
        }
        if (!Files.exists(place)) {
            throw new Failure("There is no " + place + ". Give the directory with the examples.");
        }
        if (scripts && !CatalogCopy.isCatalog(place)) {
            throw new Failure(place + " has no scripts for its tests. Give a checkout of tektoncd/catalog, or leave"
                    + " --scripts out.");
        }
        if (!scripts && !rewrites.isEmpty()) {
            throw new Failure("--rewrite goes with --scripts.");
        }
    }

    private List<Example> examples(Optional<CatalogCopy> tests) throws IOException {
        var all = tests.isPresent() ? tests.get().tests() : Example.below(place);
        var examples = all.stream().filter(each -> each.name().contains(only)).toList();
        if (examples.isEmpty()) {
            throw new Failure("There are no YAML files below " + place
                    + (only.isEmpty() ? "." : " with " + only + " in their names."));
        }
        return examples;
    }

    private Duration patience() {
        try {
            var time = Durations.parse(timeout);
            if (time.toSeconds() >= 1) {
                return time;
            }
        } catch (Durations.Malformed e) {
            throw new Failure("--timeout must be a time such as 90s or 5m, not " + timeout + ".", e);
        }
        throw new Failure("--timeout must be at least 1s.");
    }

    private List<Verdict.Of> onRunning(DataDirectory directory, Optional<CatalogCopy> tests, List<Example> examples)
            throws IOException, InterruptedException {
        var address = Instance.running(directory)
                .flatMap(Instance::address)
                .orElseThrow(() -> new Failure("No server runs on " + directory + ". Start one with '"
                        + surroundings.programName() + " up --data " + directory + "', or leave --data out."));
        var pki = Pki.open(directory.pki(), surroundings.clock(), List.of());
        try (var client = LocalClient.admin(address, pki)) {
            return tried(client, catalog(tests, directory), examples, false);
        }
    }

    private List<Verdict.Of> onOwnServer(Optional<CatalogCopy> tests, List<Example> examples)
            throws IOException, InterruptedException {
        var scratch = Files.createTempDirectory("towtank-conformance");
        try {
            var directory = new DataDirectory(scratch);
            var pki = Pki.open(directory.pki(), surroundings.clock(), List.of());
            var site = new Engine.Site(
                    Optional.of(directory.store()),
                    directory.features(),
                    directory.audit(),
                    AuditSink.Level.OFF,
                    0,
                    true,
                    pki,
                    surroundings.clock(),
                    Optional.empty(),
                    Optional.of(node(directory)));
            try (var engine = surroundings.engine().start(site);
                    var client = LocalClient.admin(engine.address(), pki)) {
                Kubeconfig.write(directory.kubeconfig(), engine.address(), pki);
                return tried(client, catalog(tests, directory), examples, true);
            }
        } finally {
            Scratch.delete(scratch);
        }
    }

    private static Engine.Node node(DataDirectory directory) {
        return new Engine.Node(
                directory.node(), directory.images(), PodRuntime.BUBBLEWRAP, false, List.of(), Stage.nodes());
    }

    private static Optional<Conformance.Catalog> catalog(Optional<CatalogCopy> tests, DataDirectory directory) {
        return tests.map(
                copy -> new Conformance.Catalog(copy, directory.kubeconfig().toAbsolutePath()));
    }

    private List<Verdict.Of> tried(
            LocalClient client, Optional<Conformance.Catalog> catalog, List<Example> examples, boolean setsFlags)
            throws InterruptedException {
        return new Conformance(
                        new ClientApi(client),
                        surroundings.clock(),
                        parallel,
                        patience(),
                        setsFlags,
                        catalog,
                        this::tell)
                .run(examples);
    }

    private synchronized void tell(Verdict.Of result) {
        if (output == Output.PRETTY) {
            surroundings.out().println(Report.line(result));
        }
    }

    private record ClientApi(LocalClient client) implements Api {
        @Override
        public Answer send(String method, String path, String body) {
            var answer = client.send(method, path, body.isEmpty() ? "" : "application/json", body);
            return new Answer(answer.statusCode(), answer.body());
        }

        @Override
        public void follow(String path, Duration longest, Predicate<String> isEnough) {
            client.follow(path, longest, isEnough);
        }
    }
}
