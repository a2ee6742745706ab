package dev.towtank.app.runs;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Cuts what is written to it into lines.
final class LineOutput extends OutputStream {

    private final ServerRuns.Lines lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineOutput(ServerRuns.Lines lines) {
        this.lines = lines;
    }

    @Override
    public void write(int value) {
        if (value == '\n') {
            lines.line(line.toString(StandardCharsets.UTF_8));
            line.reset();
        } else {
            line.write(value);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    @Override
    public void close() {
        if (line.size() > 0) {
            write('\n');
        }
    }
}
