package dev.towtank.app.command;

import dev.towtank.app.engine.Version;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.shell.CommandGroups;
import dev.towtank.app.shell.Explanation;
import dev.towtank.app.shell.Surroundings;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line: `towtank <command>`. Ends with 0 when all went well, 1 when not, 2 when called wrongly.
@Command(
        name = "towtank",
        description = {
            "A whole Kubernetes in one process, with pods and Tekton pipelines: no cluster, no container engine, no"
                    + " root."
        },
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false)
public final class Program {
    /// What the launcher of a checkout does before there is a program.
    private static final Map<String, String> OF_CHECKOUTS = Map.of(
            "package", "makes what can be installed; with --help it tells its options",
            "verify", "builds everything and runs all tests");

    private static final Pattern VALUES =
            Pattern.compile("expected one of \\[([^]]*)] \\(case-insensitive\\) but was ");
    private static final Pattern POSITION = Pattern.compile("positional parameter at index \\S+ \\(([^)]*)\\)");
    private static final Pattern MISSING_WORDS =
            Pattern.compile("positional parameter at index \\S+ \\(([^)]*)\\) requires at least ");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Tells the versions.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean version;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Shows where in the code an error comes from.")
    private boolean debug;

    private Program() {}

    /// Whatever happens becomes a message and an exit code.
    public static int run(Surroundings surroundings, String... args) {
        try {
            return execute(surroundings, asked(args));
        } catch (Throwable e) { // the parser of the command line passes on what is no Exception
            explanation(surroundings, List.of(args).contains("--debug")).of(e);
            return ExitCode.SOFTWARE;
        }
    }

    private static Explanation explanation(Surroundings surroundings, boolean debug) {
        return new Explanation(surroundings.err(), surroundings.programName(), debug);
    }

    /// `help COMMAND` is what others have for `COMMAND --help`.
    private static String[] asked(String... args) {
        if (args.length == 0 || !args[0].equals("help")) {
            return args;
        }
        return args.length == 1 ? new String[] {"--help"} : new String[] {args[1], "--help"};
    }

    private static int execute(Surroundings surroundings, String... args) {
        if (args.length == 2 && OF_CHECKOUTS.containsKey(args[0])) {
            return helpOfCheckout(surroundings, args[0]);
        }
        if (args.length > 0 && args[0].equals("parse")) {
            return parse(surroundings, Arrays.copyOfRange(args, 1, args.length));
        }
        var program = new Program();
        var line = line(surroundings, program, args);
        if (args.length == 0) {
            line.usage(line.getErr());
            return ExitCode.USAGE;
        }
        // To picocli, help that is asked for is more urgent than a command that is not there.
        boolean isThere = args[0].startsWith("-") || line.getSubcommands().containsKey(args[0]);
        return isThere ? line.execute(args) : line.execute(args[0]);
    }

    /// Whether there is something to do, for the launcher: neither wrongly called nor asked for help alone.
    private static int parse(Surroundings surroundings, String... args) {
        return line(surroundings, new Program(), args)
                .setExecutionStrategy(
                        parsed -> CommandLine.executeHelpRequest(parsed) == null ? ExitCode.OK : ExitCode.USAGE)
                .execute(args);
    }

    private static int helpOfCheckout(Surroundings surroundings, String command) {
        var name = isCheckout(surroundings) ? surroundings.programName() : "./towtank";
        surroundings
                .out()
                .println("'" + name + " " + command + "' is a command of a checkout, as it needs the sources: it "
                        + OF_CHECKOUTS.get(command) + ".");
        return ExitCode.OK;
    }

    private static CommandLine line(Surroundings surroundings, Program program, String... args) {
        var line = new CommandLine(program);
        commands(surroundings, args).forEach(line::addSubcommand);
        CommandGroups.show(line);
        line.getCommandSpec().version(Version.line());
        if (isCheckout(surroundings)) {
            line.getCommandSpec()
                    .usageMessage()
                    .footer(
                            "",
                            "Besides, '" + surroundings.programName()
                                    + " verify' builds everything and runs all tests.");
        }
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((problem, _) -> explainUsage(surroundings, problem))
                .setExecutionExceptionHandler((problem, _, _) -> {
                    explanation(surroundings, program.debug).of(problem);
                    return ExitCode.SOFTWARE;
                });
    }

    private static boolean isCheckout(Surroundings surroundings) {
        return Files.exists(Path.of(surroundings.launcher().getFirst()).resolveSibling("mvnw"));
    }

    /// The command that is called, or all of them where none is: reading what each one understands takes time.
    private static List<Object> commands(Surroundings surroundings, String... args) {
        var all = new LinkedHashMap<String, Supplier<Object>>();
        all.put("run", () -> new RunCommand(surroundings));
        all.put("export", () -> new ExportCommand(surroundings));
        all.put("up", () -> new UpCommand(surroundings));
        all.put("down", () -> new DownCommand(surroundings));
        all.put("controllers", () -> new ControllersCommand(surroundings));
        all.put("status", () -> new StatusCommand(surroundings));
        all.put("kubeconfig", () -> new KubeconfigCommand(surroundings));
        all.put("time", () -> new TimeCommand(surroundings));
        all.put("conformance", () -> new ConformanceCommand(surroundings));
        all.put("doctor", () -> new DoctorCommand(surroundings));
        all.put("report", () -> new ReportCommand(surroundings));
        all.put("get", () -> new GetCommand(surroundings));
        all.put("describe", () -> new DescribeCommand(surroundings));
        all.put("logs", () -> new LogsCommand(surroundings));
        all.put("runs", () -> new RunsCommand(surroundings));
        all.put("events", () -> new EventsCommand(surroundings));
        all.put("secrets", () -> new SecretsCommand(surroundings));
        all.put("pac", () -> new PacCommand(surroundings));
        all.put("spray", () -> new SprayCommand(surroundings));
        all.put("app", () -> new AppCommand(surroundings));
        all.put("cancel", () -> new CancelCommand(surroundings));
        all.put("images", () -> new ImagesCommand(surroundings));
        all.put("cluster", () -> new ClusterCommand(surroundings));
        all.put("model", () -> new ModelCommand(surroundings));
        all.put("completion", () -> new CompletionCommand(surroundings, () -> complete(surroundings)));
        all.put("lint", () -> new LintCommand(surroundings));
        all.put("render", () -> new RenderCommand(surroundings));
        all.put("notebook", () -> new NotebookCommand(surroundings));
        all.put("version", () -> new VersionCommand(surroundings));
        all.put("names", () -> new NamesCommand(surroundings, words -> line(surroundings, new Program(), words)));
        all.put("train", () -> new TrainCommand(surroundings));
        var called = args.length == 0 ? null : all.get(args[0]);
        return called == null ? all.values().stream().map(Supplier::get).toList() : List.of(called.get());
    }

    /// The program with all its commands, for those who want to know what there is.
    private static CommandLine complete(Surroundings surroundings) {
        var line = new CommandLine(new Program());
        commands(surroundings).forEach(line::addSubcommand);
        return line;
    }

    private static String text(ParameterException problem) {
        if (!(problem instanceof UnmatchedArgumentException unmatched)
                || unmatched.getCommandLine().getParent() != null) {
            return inTheirWords(problem);
        }
        var first = unmatched.getUnmatched().getFirst();
        return unmatched.isUnknownOption()
                ? "'" + first + "' is no option of towtank itself: options of a command come behind its name"
                : "there is no command '" + first + "'";
    }

    /// Values and parameters as the help has them, where picocli tells what Java calls them.
    private static String inTheirWords(ParameterException problem) {
        var message = String.valueOf(problem.getMessage());
        var missing = MISSING_WORDS.matcher(message);
        if (missing.find()) {
            var command = problem.getCommandLine().getCommandSpec().qualifiedName();
            return "expected '" + command + " " + missing.group(1) + "'";
        }
        return VALUES.matcher(POSITION.matcher(message).replaceFirst("$1"))
                .replaceAll(found -> "expected one of "
                        + Matcher.quoteReplacement(String.join(", ", values(found.group(1)))) + ", but was ")
                .replaceFirst(" is not an? (int|long)$", " is not a whole number");
    }

    /// Some have a text of their own beside the name in Java.
    private static List<String> values(String names) {
        return Stream.of(names.toLowerCase(Locale.ROOT).replace('_', '-').split(", ", -1))
                .distinct()
                .toList();
    }

    private static Optional<String> meant(ParameterException problem) {
        var values = VALUES.matcher(String.valueOf(problem.getMessage()));
        if (values.find() && problem.getValue() != null) {
            return Similar.to(problem.getValue(), values(values.group(1)));
        }
        if (!(problem instanceof UnmatchedArgumentException unmatched)) {
            return Optional.empty();
        }
        var command = unmatched.getCommandLine();
        var names = unmatched.isUnknownOption()
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        return Similar.to(unmatched.getUnmatched().getFirst(), names);
    }

    private static int explainUsage(Surroundings surroundings, ParameterException problem) {
        var command = problem.getCommandLine().getCommandSpec().qualifiedName().replaceFirst("^towtank", "");
        surroundings.err().println("towtank: " + text(problem));
        meant(problem).ifPresent(name -> surroundings.err().println("Did you mean '" + name + "'?"));
        surroundings.err().println("Try '" + surroundings.programName() + command + " --help'.");
        return ExitCode.USAGE;
    }
}
