package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Phase;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// What a terminal can show.
public record Style(boolean colour, boolean unicode) {

    public static final Style PLAIN = new Style(false, false);

    public static Style of(Map<String, String> environment) {
        var locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("")
                .toUpperCase(Locale.ROOT);
        boolean unicode = locale.contains("UTF-8") || locale.contains("UTF8");
        return new Style(environment.getOrDefault("NO_COLOR", "").isEmpty(), unicode);
    }

    String mark(Phase phase) {
        return switch (phase) {
            case WAITING -> dim(unicode ? "○" : ".");
            case RUNNING -> paint("36", unicode ? "●" : "*");
            case SUCCEEDED -> paint("32", unicode ? "✓" : "+");
            case FAILED -> paint("31", unicode ? "✗" : "x");
            case IGNORED -> paint("33", unicode ? "✗" : "x");
            case CANCELLED -> paint("33", unicode ? "■" : "#");
            case TIMED_OUT -> paint("31", unicode ? "◷" : "T");
            case SKIPPED -> dim(unicode ? "–" : "-");
        };
    }

    String paint(Phase phase, String text) {
        return switch (phase) {
            case SUCCEEDED -> paint("32", text);
            case FAILED, TIMED_OUT -> paint("31", text);
            case IGNORED, CANCELLED -> paint("33", text);
            case WAITING, SKIPPED -> dim(text);
            case RUNNING -> text;
        };
    }

    String bold(String text) {
        return paint("1", text);
    }

    String dim(String text) {
        return paint("2", text);
    }

    String arrow() {
        return unicode ? "›" : ">";
    }

    String rail() {
        return dim(unicode ? "│" : "|");
    }

    String ellipsis() {
        return unicode ? "…" : "~";
    }

    /// A bar of so many cells.
    String bar(long done, long total, int cells, boolean isBad) {
        int filled = total == 0 ? 0 : (int) (cells * done / total);
        var full = (unicode ? "━" : "=").repeat(filled);
        var rest = (unicode ? "─" : "-").repeat(cells - filled);
        return paint(isBad ? "31" : "32", full) + dim(rest);
    }

    private String paint(String code, String text) {
        return colour && !text.isEmpty() ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}
