package dev.towtank.system;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// As much of a terminal as is needed to see what a user would.
final class VirtualTerminal {
    private static final Pattern ESCAPE = Pattern.compile("\033\\[([?0-9;]*)([A-Za-z])");

    private final List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    private int row;
    private int column;

    void print(String text) {
        for (int i = 0; i < text.length(); ) {
            var escape = ESCAPE.matcher(text).region(i, text.length());
            if (escape.lookingAt()) {
                obey(escape.group(1), escape.group(2));
                i = escape.end();
                continue;
            }
            put(text.charAt(i));
            i++;
        }
    }

    private void put(char c) {
        switch (c) {
            case '\r' -> column = 0;
            case '\n' -> {
                row++;
                if (row == lines.size()) {
                    lines.add(new StringBuilder());
                }
            }
            default -> {
                var line = lines.get(row);
                while (line.length() <= column) {
                    line.append(' ');
                }
                line.setCharAt(column++, c);
            }
        }
    }

    private void obey(String number, String command) {
        switch (command) {
            case "A" -> row = Math.max(0, row - Integer.parseInt(number));
            case "K" -> lines.get(row).setLength(Math.min(column, lines.get(row).length()));
            case "J" -> {
                lines.get(row).setLength(Math.min(column, lines.get(row).length()));
                lines.subList(row + 1, lines.size()).clear();
            }
            default -> {}
        }
    }

    String text() {
        return lines.stream().map(line -> line.toString().stripTrailing()).collect(Collectors.joining("\n"));
    }
}
