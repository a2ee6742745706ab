package dev.towtank.app;

import dev.towtank.app.lint.Edit;
import dev.towtank.app.lint.Fixes;
import dev.towtank.app.lint.Linter;
import dev.towtank.app.lint.RenderedSources;
import dev.towtank.app.lint.Report;
import dev.towtank.app.lint.Rule;
import dev.towtank.app.lint.ScriptJudge;
import dev.towtank.app.lint.SourceFiles;
import dev.towtank.app.lint.SourceFiles.Content;
import dev.towtank.app.lint.Target;
import dev.towtank.app.lint.report.JsonReport;
import dev.towtank.app.lint.report.JunitReport;
import dev.towtank.app.lint.report.PrettyReport;
import dev.towtank.app.lint.report.SarifReport;
import dev.towtank.controllers.pipelines.api.Settings;
import dev.towtank.model.JsonText;
import dev.towtank.model.helm.Capabilities;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.Release;
import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.node.images.MappedImages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

    private static final String STANDARD_INPUT = "-";

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

    @Option(names = "--disable", paramLabel = "RULE", split = ",", description = "Rules to leave out.")
    private List<String> disabled = List.of();

    @Option(
            names = "--target",
            paramLabel = "RELEASES",
            description = "The releases that the files are for, as in tekton=1.9,kserve=0.20,eso=2,kubernetes=1.35"
                    + " (which is the default).")
    private String target = "";

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
        if (paths.isEmpty()) {
            throw usage("name the files or directories to look at");
        }
        var linter = linter();
        var inputs = inputs(files());
        var report = linter.lint(inputs);
        if (fix && repair(report)) {
            report = linter.lint(inputs);
        }
        show(report);
        return report.fails(strict) ? ExitCode.SOFTWARE : ExitCode.OK;
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

    private Linter linter() {
        var images = images();
        var path = surroundings.environment().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        return new Linter(
                chosenTarget(), Settings.INITIAL, disabledRules(), images::complaint, new ScriptJudge(path)::judge);
    }

    private MappedImages images() {
        var directory = data.resolve(surroundings);
        try {
            return LocalNode.mapped(directory.images(), directory.node());
        } catch (IOException e) {
            throw new Failure("Cannot read the map of images: " + e.getMessage(), e);
        }
    }

    private Target chosenTarget() {
        try {
            return target.isEmpty() ? Target.CURRENT : Target.parse(target);
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

    private List<Path> files() {
        var named = paths.stream()
                .filter(path -> !path.equals(STANDARD_INPUT))
                .map(Path::of)
                .toList();
        try {
            var files = SourceFiles.find(named);
            if (files.isEmpty() && !paths.contains(STANDARD_INPUT)) {
                throw usage("there are no files with YAML below " + String.join(", ", paths)
                        + "; Markdown and text files are looked at where they are named");
            }
            return files;
        } catch (SourceFiles.Unusable e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /// Files are read when they are asked for, standard input only once.
    private List<Supplier<Content>> inputs(List<Path> files) throws IOException {
        var inputs = new ArrayList<Supplier<Content>>();
        if (paths.contains(STANDARD_INPUT)) {
            var content = SourceFiles.decode("standard input", System.in.readNBytes(SourceFiles.LARGEST + 1));
            inputs.add(() -> content);
        }
        var rendered = new RenderedSources(files, options(), Path.of(""));
        files.stream().filter(file -> !rendered.covers(file)).forEach(file -> inputs.add(() -> SourceFiles.read(file)));
        inputs.addAll(rendered.inputs());
        return inputs;
    }

    private Helm.Options options() {
        return new Helm.Options(
                Release.install("release-name", "default"),
                Capabilities.of("v1.35.0"),
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
        edits.remove("standard input");
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
            case PRETTY -> new PrettyReport(hasColours()).text(report);
            case JSON -> JsonText.write(JsonReport.of(report)) + "\n";
            case SARIF -> JsonText.write(SarifReport.of(report, Version.TOWTANK)) + "\n";
            case JUNIT -> JunitReport.of(report, strict);
        };
        var out = surroundings.out();
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
        if (form != Form.PRETTY) {
            report.notes().forEach(note -> surroundings.err().println("towtank: " + note));
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
