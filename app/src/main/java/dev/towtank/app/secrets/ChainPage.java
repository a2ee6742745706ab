package dev.towtank.app.secrets;

import java.util.ArrayList;
import java.util.List;

/// A chain for people: a rail from the first link to the last, with why and what to do beside what is not whole.
public final class ChainPage {

    private static final int NAME = 8;
    private static final int NARROWEST = 40;

    private final boolean colour;
    private final boolean unicode;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    /// @param width of the terminal
    public ChainPage(boolean colour, boolean unicode, int width) {
        this.colour = colour;
        this.unicode = unicode;
        this.width = Math.max(NARROWEST, width);
    }

    public String show(List<Chain> chains) {
        for (var chain : chains) {
            text.append(text.isEmpty() ? "" : "\n");
            text.append(paint("1", chain.namespace() + "/" + chain.name()))
                    .append("  ")
                    .append(verdict(chain))
                    .append("\n\n");
            for (int i = 0; i < chain.links().size(); i++) {
                link(chain.links().get(i), i == chain.links().size() - 1);
            }
            commands(chain);
        }
        return text.toString();
    }

    private String verdict(Chain chain) {
        var first = chain.links().stream().filter(link -> !link.isWhole()).findFirst();
        return first.map(link -> link.state() == Link.State.BROKEN
                        ? paint("31", "broken at " + link.name())
                        : paint("33", "waiting at " + link.name()))
                .orElse(paint("32", "whole"));
    }

    private void link(Link link, boolean isLast) {
        var rail = isLast ? " " : paint("2", unicode ? "│" : "|");
        var title = link.object().isEmpty() ? "" : link.object() + " ";
        var head = "  " + mark(link.state()) + " " + paint("2", padded(link.name())) + " ";
        var lines = wrapped(title + link.summary(), width - NAME - 6);
        text.append(head).append(tinted(lines.getFirst(), title)).append('\n');
        lines.stream()
                .skip(1)
                .forEach(line -> text.append("  ")
                        .append(rail)
                        .append(" ".repeat(NAME + 2))
                        .append(line)
                        .append('\n'));
        detail(rail, "why", link.reason());
        link.fixes().stream().filter(fix -> !isCommand(fix)).forEach(fix -> detail(rail, "fix", fix));
        if (!isLast) {
            text.append("  ").append(rail).append('\n');
        }
    }

    private String tinted(String line, String title) {
        return title.isEmpty() || !line.startsWith(title.strip())
                ? line
                : paint("1", title.strip()) + line.substring(title.strip().length());
    }

    private void detail(String rail, String name, String what) {
        if (what.isEmpty()) {
            return;
        }
        var lines = wrapped(what, width - NAME - 11);
        for (int i = 0; i < lines.size(); i++) {
            text.append("  ")
                    .append(rail)
                    .append(" ".repeat(NAME + 2))
                    .append(i == 0 ? paint(name.equals("fix") ? "36" : "33", name) + "  " : "     ")
                    .append(lines.get(i))
                    .append('\n');
        }
    }

    private static boolean isCommand(String fix) {
        return fix.startsWith("kubectl ");
    }

    /// Whole lines with nothing before them, to be copied.
    private void commands(Chain chain) {
        var commands = chain.links().stream()
                .flatMap(link -> link.fixes().stream())
                .filter(ChainPage::isCommand)
                .toList();
        if (!commands.isEmpty()) {
            text.append('\n').append(paint("36", "Type")).append('\n');
            commands.forEach(command ->
                    text.append(command.replaceAll("\\p{Cntrl}", "?")).append('\n'));
        }
    }

    private static String padded(String name) {
        return name + " ".repeat(Math.max(0, NAME - name.length()));
    }

    private String mark(Link.State state) {
        return switch (state) {
            case WHOLE -> paint("32", unicode ? "✓" : "+");
            case WAITING -> paint("33", unicode ? "○" : ".");
            case BROKEN -> paint("31", unicode ? "✗" : "x");
            case NONE -> paint("2", unicode ? "–" : "-");
        };
    }

    /// Control characters of whoever named an object must not reach the terminal.
    private static List<String> wrapped(String text, int room) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var word : text.replaceAll("\\p{Cntrl}", "?").split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > room) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private String paint(String code, String what) {
        return colour ? "\033[" + code + "m" + what + "\033[0m" : what;
    }
}
