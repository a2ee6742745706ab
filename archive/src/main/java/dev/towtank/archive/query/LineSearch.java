package dev.towtank.archive.query;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Keeps those lines of what is written to it that hold a text. Of a line without end only the beginning is seen.
final class LineSearch extends OutputStream {

    private static final int MAX_LINE = 64 * 1024;

    private final String wanted;
    private final int limit;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Map<Long, String> matches = new LinkedHashMap<>();
    private long number = 1;

    LineSearch(String wanted, int limit) {
        this.wanted = wanted;
        this.limit = limit;
    }

    @Override
    public void write(int value) {
        if (value == '\n') {
            end();
        } else if (line.size() < MAX_LINE) {
            line.write(value);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    private void end() {
        if (matches.size() < limit && line.size() > 0) {
            var text = line.toString(StandardCharsets.UTF_8);
            if (text.contains(wanted)) {
                matches.put(number, text);
            }
        }
        line.reset();
        number++;
    }

    Map<Long, String> matches() {
        end();
        return matches;
    }
}
