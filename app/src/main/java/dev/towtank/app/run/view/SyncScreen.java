package dev.towtank.app.run.view;

import dev.towtank.model.Json;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Shows a sync while it runs: as a picture on a terminal, otherwise as a line for each news.
public final class SyncScreen implements AutoCloseable {

    private final PrintStream out;
    private final Style style;
    private final Optional<Supplier<PrettyOutput.Size>> terminal;
    private final Painter painter;
    private String told = "";

    /// @param terminal its size, where there is one
    public SyncScreen(PrintStream out, Style style, Optional<Supplier<PrettyOutput.Size>> terminal) {
        this.out = out;
        this.style = style;
        this.terminal = terminal;
        this.painter = new Painter(out);
    }

    /// How an Application is now.
    public void show(Json.Obj application, Instant now) {
        if (terminal.isPresent()) {
            var size = terminal.get().get();
            painter.paint(new SyncTree(application).lines(style, size.columns(), size.rows(), now), size.columns());
            return;
        }
        var line = application
                .string("status", "operationState", "message")
                .lines()
                .findFirst()
                .orElse("");
        if (!line.isEmpty() && !line.equals(told)) {
            told = line;
            out.println("  " + line);
            out.flush();
        }
    }

    /// What stays on the screen, while the sync goes on below.
    public void tell(List<String> lines) {
        terminal.ifPresent(size -> painter.erase(size.get().columns()));
        terminal.map(size -> new Prose(style, size.get().columns()).of(lines))
                .orElse(lines)
                .forEach(out::println);
        out.flush();
    }

    @Override
    public void close() {
        painter.close();
    }
}
