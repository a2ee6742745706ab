package dev.towtank.app.command;

import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Features;
import dev.towtank.app.engine.LocalNode;
import dev.towtank.app.engine.Version;
import dev.towtank.app.lint.LanguageServer;
import dev.towtank.app.lint.Linter;
import dev.towtank.app.lint.finding.Baseline;
import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Fixes;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.report.JsonReport;
import dev.towtank.app.lint.report.JunitReport;
import dev.towtank.app.lint.report.PrettyReport;
import dev.towtank.app.lint.report.SarifReport;
import dev.towtank.app.lint.script.ScriptJudge;
import dev.towtank.app.lint.settings.ChangedFiles;
import dev.towtank.app.lint.settings.LintSettings;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.RenderedSources;
import dev.towtank.app.lint.source.SchemaFiles;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.standing.Named;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.Release;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.node.images.MappedImages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Looks for mistakes in files, without a server. Ends with 0 when there are none, 1 when there are, 2 when
/// called wrongly.
@Command(
        name = "lint",
        description = {
            "Finds mistakes in files of Tekton and Kubernetes, without a server.",
            "",
            "Ends with 0 when there are no errors, 1 when there are, 2 when called wrongly. Comments silence a rule for a line:"
                    + " '# towtank-lint: ignore=RULE' on the line or above it."
        },
        sortOptions = false)
final class LintCommand implements Callable<Integer> {

    enum Form {
        PRETTY,
        JSON,
        SARIF,
        JUNIT
    }

    /// For shells, which complete them.
    static final class RuleNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        RuleNames() {
            super(Stream.of(Rule.values()).map(Rule::id).toList());
        }
    }

    private static final String STANDARD_INPUT = "-";
    private static final String STANDARD_INPUT_NAME = "standard input";

    private final Surroundings surroundings;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description =
                    "Files, or directories with YAML and JSON somewhere below; of Markdown and text files that are"
                            + " named, the fenced blocks of YAML; - for standard input.")
    private List<String> paths = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "pretty (the default), json, sarif or junit.")
    private Form form = Form.PRETTY;

    @Option(names = "--fix", description = "Repairs what is safe to repair, in the files themselves.")
    private boolean fix;

    @Option(names = "--strict", description = "Lets warnings fail as well.")
    private boolean strict;

    @Option(names = "--infos", description = "Shows what is only good to know as well.")
    private boolean infos;

    @Option(
            names = "--include-tests",
            description = "Looks at files that only tests read as well, which may be wrong on purpose.")
    private boolean includeTests;

    @Option(
            names = "--respect-excludes",
            description = "Leaves out what the repository excludes even where it is named, as hooks name files.")
    private boolean respectExcludes;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "What the repository has decided; towtank-lint.yaml of this directory by default.")
    private @Nullable Path config;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "Findings that were there before, and do not count.")
    private @Nullable Path baseline;

    @Option(
            names = "--write-baseline",
            paramLabel = "FILE",
            description = "Writes what is found now into a file for --baseline, and ends with 0.")
    private @Nullable Path newBaseline;

    @Option(
            names = "--changed-since",
            paramLabel = "REV",
            description = "Tells only what is in files that differ from this revision of git.")
    private String revision = "";

    @Option(
            names = "--schemas",
            paramLabel = "PATH",
            description = "Files or directories with CustomResourceDefinitions of the kinds in use.")
    private List<Path> schemas = List.of();

    @Option(
            names = "--disable",
            paramLabel = "RULE",
            split = ",",
            completionCandidates = RuleNames.class,
            description = "Rules to leave out.")
    private List<String> disabled = List.of();

    @Option(
            names = "--target",
            paramLabel = "RELEASES",
            description = "The releases that the files are for, as in tekton=1.9,kserve=0.20,eso=2,kubernetes=1.35"
                    + " (which is the default).")
    private String target = "";

    @Option(
            names = "--lsp",
            description = "Serves an editor: the language server protocol on standard input and output.")
    private boolean languageServer;

    @Option(names = "--rules", description = "Lists all rules.")
    private boolean listRules;

    @Mixin
    private final DataOption data = new DataOption();

    LintCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        if (listRules) {
            rules();
            return ExitCode.OK;
        }
        if (languageServer) {
            return serve();
        }
        if (paths.isEmpty()) {
            throw usage("name the files or directories to look at");
        }
        if (!fix) {
            surroundings.stop().leaveAtOnce(); // nothing is half written
        }
        var settings = settings();
        var linter = linter(settings);
        var found = files(settings);
        var inputs = inputs(found.files(), settings);
        var named = named(settings, found.files());
        var report = judged(settings, linter.lint(inputs, named));
        if (fix && repair(report)) {
            report = judged(settings, linter.lint(inputs, named));
        }
        report = report.withNotes(notChecked(found.tests()));
        if (newBaseline != null) {
            Files.writeString(newBaseline, JsonText.write(Baseline.of(report).json()) + "\n");
            surroundings.err().println("wrote " + newBaseline + ": what is in it does not count with --baseline");
            return ExitCode.OK;
        }
        show(report);
        return report.fails(strict) ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /// What the editor has open, for as long as it lives.
    private int serve() throws IOException {
        var settings = settings();
        var server = new LanguageServer(linter(settings), settings::apply, System.in, surroundings.out());
        return server.serve() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private LintSettings settings() throws IOException {
        var file = config == null ? Path.of(LintSettings.FILE) : config;
        if (config == null && Files.notExists(file)) {
            return LintSettings.NONE;
        }
        try {
            return LintSettings.parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw usage(file + ": there is no such file");
        } catch (LintSettings.Malformed e) {
            throw usage(file + ": " + e.getMessage());
        }
    }

    private Named named(LintSettings settings, List<Path> files) {
        var called = paths.stream()
                .map(String::valueOf)
                .map(path -> path.equals(STANDARD_INPUT) ? STANDARD_INPUT_NAME : path)
                .toList();
        var applied = files.stream().filter(settings::applies).toList();
        return new Named(called, applied, !settings.applied().isEmpty());
    }

    /// What counts of all that was found.
    private Report judged(LintSettings settings, Report all) throws IOException {
        var report = settings.apply(all);
        try {
            if (!revision.isEmpty()) {
                report = ChangedFiles.since(Path.of("").toAbsolutePath(), revision)
                        .only(report);
            }
        } catch (ChangedFiles.Unknown e) {
            throw usage("--changed-since " + revision + ": " + e.getMessage());
        }
        var known = baseline == null && !settings.baseline().isEmpty() ? Path.of(settings.baseline()) : baseline;
        if (known == null || newBaseline != null) {
            return report;
        }
        try {
            return Baseline.parse(JsonText.parseObject(Files.readAllBytes(known)))
                    .without(report);
        } catch (NoSuchFileException e) {
            throw usage(known + ": there is no such file; --write-baseline makes it");
        } catch (JsonText.Malformed e) {
            throw usage(known + " is no baseline: " + e.getMessage());
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(new CommandLine(spec), problem);
    }

    private void rules() {
        for (var rule : Rule.values()) {
            surroundings
                    .out()
                    .println("%-25s %-8s %s".formatted(rule.id(), rule.level().word(), rule.summary()));
        }
    }

    private Linter linter(LintSettings settings) {
        var images = images();
        var path = surroundings.environment().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        var given = definitions(settings);
        return new Linter(
                chosenTarget(settings),
                Settings.INITIAL,
                disabledRules(),
                images::complaint,
                new ScriptJudge(path)::judge,
                () -> Stream.of(Features.definitions(), SchemaFiles.bundled(), given)
                        .flatMap(List::stream)
                        .filter(object -> object.string("kind").equals("CustomResourceDefinition"))
                        .toList());
    }

    private List<Json.Obj> definitions(LintSettings settings) {
        var paths = new ArrayList<>(schemas);
        settings.schemas().forEach(path -> paths.add(Path.of(path)));
        try {
            return paths.isEmpty() ? List.of() : SchemaFiles.definitions(paths);
        } catch (SourceFiles.Unusable e) {
            throw usage((schemas.isEmpty() ? "schemas in the settings: " : "--schemas: ") + e.getMessage());
        }
    }

    private MappedImages images() {
        var directory = data.resolve(surroundings);
        try {
            return LocalNode.mapped(directory.images(), directory.node());
        } catch (IOException e) {
            throw new Failure("Cannot read the map of images: " + e.getMessage(), e);
        }
    }

    private Target chosenTarget(LintSettings settings) {
        var releases = target.isEmpty() ? settings.target() : target;
        try {
            return releases.isEmpty() ? Target.CURRENT : Target.parse(releases);
        } catch (Target.Malformed e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private Set<Rule> disabledRules() {
        var rules = EnumSet.noneOf(Rule.class);
        for (var name : disabled) {
            rules.add(Rule.find(name.strip())
                    .orElseThrow(() -> usage("there is no rule '" + name + "'; --rules lists them")));
        }
        return rules;
    }

    private static List<String> notChecked(int tests) {
        return tests == 0
                ? List.of()
                : List.of((tests == 1 ? "1 file of test data was" : tests + " files of test data were")
                        + " not checked; --include-tests checks " + (tests == 1 ? "it" : "them"));
    }

    private SourceFiles.Found files(LintSettings settings) {
        var named = paths.stream()
                .filter(path -> !path.equals(STANDARD_INPUT))
                .map(Path::of)
                .toList();
        try {
            var found = SourceFiles.find(named, includeTests);
            var files = found.files().stream()
                    .filter(file -> (named.contains(file) && !respectExcludes) || !settings.excludes(file))
                    .toList();
            // Whoever has it left out knows that nothing may be left.
            var wanted = respectExcludes ? found.files() : files;
            if (wanted.isEmpty() && found.tests() == 0 && !paths.contains(STANDARD_INPUT)) {
                throw usage("there are no files with YAML below " + String.join(", ", paths)
                        + "; Markdown and text files are looked at where they are named");
            }
            return new SourceFiles.Found(files, found.tests());
        } catch (SourceFiles.Unusable e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /// Files are read when they are asked for, standard input only once.
    private List<Supplier<Content>> inputs(List<Path> files, LintSettings settings) throws IOException {
        var inputs = new ArrayList<Supplier<Content>>();
        if (paths.contains(STANDARD_INPUT)) {
            var content = SourceFiles.decode(STANDARD_INPUT_NAME, System.in.readNBytes(SourceFiles.LARGEST + 1));
            inputs.add(() -> content);
        }
        var rendered = new RenderedSources(
                paths.stream()
                        .filter(path -> !path.equals(STANDARD_INPUT))
                        .map(Path::of)
                        .toList(),
                files,
                options(settings),
                Path.of(""));
        files.stream().filter(file -> !rendered.covers(file)).forEach(file -> inputs.add(() -> SourceFiles.read(file)));
        inputs.addAll(rendered.inputs());
        return inputs;
    }

    private Helm.Options options(LintSettings settings) {
        return new Helm.Options(
                Release.install("release-name", "default"),
                RenderedSources.capabilities(chosenTarget(settings)),
                new Ambient(surroundings.clock().instant(), ZoneOffset.UTC, new Random(0)),
                Bounds.DEFAULT);
    }

    /// @return whether anything changed
    private boolean repair(Report report) {
        var edits = new LinkedHashMap<String, List<Edit>>();
        for (var finding : report.findings()) {
            finding.fix()
                    .ifPresent(edit -> edits.computeIfAbsent(finding.place().file(), _ -> new ArrayList<>())
                            .add(edit));
        }
        edits.remove(STANDARD_INPUT_NAME);
        edits.forEach(this::repair);
        return !edits.isEmpty();
    }

    private void repair(String file, List<Edit> edits) {
        try {
            var path = Path.of(file);
            var before = Files.readString(path);
            Files.writeString(path, Fixes.apply(before, edits));
            surroundings.err().println("repaired " + file + " (" + edits.size() + ")");
        } catch (IOException e) {
            throw new Failure("Cannot repair " + file + ": " + e.getMessage(), e);
        }
    }

    private void show(Report report) {
        var text = switch (form) {
            case PRETTY -> new PrettyReport(hasColours(), infos).text(report);
            case JSON -> JsonText.write(JsonReport.of(report, infos)) + "\n";
            case SARIF -> JsonText.write(SarifReport.of(report, infos, Version.TOWTANK)) + "\n";
            case JUNIT -> JunitReport.of(report, infos, strict);
        };
        var out = surroundings.out();
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
        if (form != Form.PRETTY) {
            report.notes().forEach(note -> surroundings.err().println("towtank: " + surroundings.typeable(note)));
        }
    }

    private boolean hasColours() {
        var environment = surroundings.environment();
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb")
                && surroundings.out().equals(System.out)
                && isTerminal(Path.of("/proc/self/fd/1"));
    }

    // Asking the terminal itself takes a tenth of a second before the first answer.
    private static boolean isTerminal(Path output) {
        try {
            return Files.readSymbolicLink(output).toString().matches("/dev/(pts/\\d+|tty.*|console)");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
