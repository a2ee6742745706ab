package dev.towtank.model.template;

/// The text that templates were parsed from; errors name it.
record TemplateText(String name, String text) {

    /// From 1.
    int line(int at) {
        int line = 1;
        for (int i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
            line++;
        }
        return line;
    }

    /// Name, line and column of a place; the column counts bytes, and on the first line from 0 as everywhere else.
    String locate(int at) {
        int line = 1;
        int lineStart = 0;
        for (int i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
            line++;
            lineStart = i + 1;
        }
        return name + ":" + line + ":" + GoText.length(text.substring(lineStart, at));
    }
}
