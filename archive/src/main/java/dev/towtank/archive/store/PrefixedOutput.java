package dev.towtank.archive.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Puts the name of its step before each line, as `tkn` shows logs.
final class PrefixedOutput extends OutputStream {

    private final OutputStream out;
    private final byte[] prefix;
    private boolean atStart = true;
    private boolean hasText;

    PrefixedOutput(OutputStream out, String prefix) {
        this.out = out;
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int end = offset + length;
        for (int start = offset; start < end; ) {
            if (atStart) {
                out.write(prefix);
                atStart = false;
            }
            int next = start;
            while (next < end && bytes[next] != '\n') {
                next++;
            }
            atStart = next < end;
            int behind = atStart ? next + 1 : next;
            out.write(bytes, start, behind - start);
            start = behind;
            hasText = true;
        }
    }

    /// Ends the last line, and leaves an empty one behind it.
    void end() throws IOException {
        if (hasText) {
            out.write(atStart ? new byte[] {'\n'} : new byte[] {'\n', '\n'});
        }
    }
}
