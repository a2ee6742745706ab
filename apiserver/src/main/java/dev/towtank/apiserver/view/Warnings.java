package dev.towtank.apiserver.view;

import java.util.List;

/// Advice for the person at the client as values of `Warning` headers (RFC 7234, code 299).
public final class Warnings {

    private static final int LONGEST = 256;
    private static final int TOTAL = 4096;

    private Warnings() {}

    /// Quoted, without control characters or anything but ASCII, without repetitions, and in total not longer than
    /// what clients take in headers.
    public static List<String> headers(List<String> warnings) {
        if (warnings.isEmpty()) {
            return List.of();
        }
        int total = warnings.stream().mapToInt(String::length).sum();
        int longest = total > TOTAL ? LONGEST : TOTAL;
        return warnings.stream()
                .filter(text -> !text.isEmpty())
                .distinct()
                .limit(TOTAL / LONGEST)
                .map(text -> "299 - \"" + quoted(text, longest) + "\"")
                .toList();
    }

    private static String quoted(String text, int longest) {
        var quoted = new StringBuilder();
        int end = Math.min(text.length(), longest);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else {
                quoted.append(c >= ' ' && c < 0x7f ? c : c < ' ' ? ' ' : '?');
            }
        }
        return quoted.toString();
    }
}
