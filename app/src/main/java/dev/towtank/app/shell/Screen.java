package dev.towtank.app.shell;

import dev.towtank.app.run.RunCall.Format;
import dev.towtank.app.run.view.CellScreen;
import dev.towtank.app.run.view.JsonOutput;
import dev.towtank.app.run.view.Output;
import dev.towtank.app.run.view.PlainOutput;
import dev.towtank.app.run.view.PrettyOutput;
import dev.towtank.app.run.view.Prose;
import dev.towtank.app.run.view.Style;
import dev.towtank.app.run.view.SyncScreen;
import dev.towtank.node.linux.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// What this process writes to, and what that can show.
public final class Screen {

    private static final int STANDARD_OUTPUT = 1;
    private static final PrettyOutput.Size USUAL = new PrettyOutput.Size(80, 24);

    private Screen() {}

    /// @param asked what the user wants; otherwise it depends on whether there is a terminal
    public static Output output(Surroundings surroundings, Optional<Format> asked) {
        // Logs are UTF-8, whatever the locale says.
        var out = new PrintStream(surroundings.out(), false, StandardCharsets.UTF_8);
        return switch (asked.orElseGet(() -> isTerminal(surroundings) ? Format.PRETTY : Format.PLAIN)) {
            case PRETTY -> new PrettyOutput(out, Style.of(surroundings.environment()), Screen::size);
            case PLAIN -> new PlainOutput(out);
            case JSON -> new JsonOutput(out, surroundings.clock());
        };
    }

    /// For the cells of a notebook.
    public static CellScreen cells(Surroundings surroundings) {
        var out = new PrintStream(surroundings.out(), false, StandardCharsets.UTF_8);
        return isTerminal(surroundings)
                ? new CellScreen(out, Style.of(surroundings.environment()), Optional.of(Screen::size))
                : new CellScreen(out, Style.PLAIN, Optional.empty());
    }

    /// For the steps of a sync.
    public static SyncScreen sync(Surroundings surroundings) {
        var out = new PrintStream(surroundings.out(), false, StandardCharsets.UTF_8);
        return isTerminal(surroundings)
                ? new SyncScreen(out, Style.of(surroundings.environment()), Optional.of(Screen::size))
                : new SyncScreen(out, Style.PLAIN, Optional.empty());
    }

    /// Sentences in lines that fit a terminal; as they are where there is none.
    public static List<String> prose(Surroundings surroundings, List<String> lines) {
        return isTerminal(surroundings)
                ? new Prose(Style.of(surroundings.environment()), size().columns()).of(lines)
                : lines;
    }

    /// The same for lines that must stay whole.
    public static List<String> listing(Surroundings surroundings, List<String> lines) {
        return isTerminal(surroundings)
                ? new Prose(Style.of(surroundings.environment()), Integer.MAX_VALUE).of(lines)
                : lines;
    }

    /// A table that ends at the edge of a terminal.
    public static List<String> table(Surroundings surroundings, List<String> lines) {
        return isTerminal(surroundings)
                ? new Prose(Style.of(surroundings.environment()), size().columns()).cut(lines)
                : lines;
    }

    /// Whether what is written is seen at once, by a person.
    public static boolean isTerminal(Surroundings surroundings) {
        return surroundings.out().equals(System.out)
                && !surroundings.environment().getOrDefault("TERM", "dumb").equals("dumb")
                && Terminal.size(STANDARD_OUTPUT).isPresent();
    }

    public static PrettyOutput.Size size() {
        return Terminal.size(STANDARD_OUTPUT)
                .filter(size -> size.columns() > 0 && size.rows() > 0)
                .map(size -> new PrettyOutput.Size(size.columns(), size.rows()))
                .orElse(USUAL);
    }
}
