package dev.towtank.app.runs;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Cuts what is written to it into lines; one without end comes in pieces, as it need not fit into memory.
final class LineOutput extends OutputStream {

    static final int LONGEST = 1 << 20;

    private final ServerRuns.Lines lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineOutput(ServerRuns.Lines lines) {
        this.lines = lines;
    }

    @Override
    public void write(int value) {
        if (value == '\n') {
            end();
            return;
        }
        if (line.size() >= LONGEST && beginsCharacter(value)) {
            end();
        }
        line.write(value);
    }

    private void end() {
        lines.line(line.toString(StandardCharsets.UTF_8));
        line.reset();
    }

    private static boolean beginsCharacter(int value) {
        return (value & 0xc0) != 0x80;
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
            end();
        }
    }
}
