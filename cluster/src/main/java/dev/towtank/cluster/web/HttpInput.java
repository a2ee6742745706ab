package dev.towtank.cluster.web;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// What comes over a connection, by lines and by numbers of bytes.
final class HttpInput {

    private static final int LONGEST_LINE = 16 << 10;

    private final InputStream input;

    HttpInput(InputStream input) {
        this.input = new BufferedInputStream(input);
    }

    /// The other side has closed the connection before it said anything.
    static final class Closed extends IOException {
        private static final long serialVersionUID = 1L;

        Closed() {}

        Closed(IOException cause) {
            super(cause);
        }
    }

    /// The first line of an answer.
    String firstLine() throws IOException {
        input.mark(1);
        int first;
        try {
            first = input.read();
        } catch (java.net.SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            throw new Closed(e);
        }
        if (first < 0) {
            throw new Closed();
        }
        input.reset();
        return line();
    }

    /// Without its end.
    String line() throws IOException {
        var bytes = new ByteArrayOutputStream(64);
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("the answer ends within a line");
            }
            if (bytes.size() > LONGEST_LINE) {
                throw new IOException("the answer has a line of more than " + LONGEST_LINE + " bytes");
            }
            bytes.write(next);
        }
        var text = bytes.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /// The next bytes, or all that comes.
    ///
    /// @param length −1 for all
    InputStream bytes(long length) {
        return new InputStream() {
            private long left = length < 0 ? Long.MAX_VALUE : length;

            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int most) throws IOException {
                if (left == 0) {
                    return -1;
                }
                int count = input.read(target, offset, (int) Math.min(most, left));
                if (count < 0 && length >= 0) {
                    throw new EOFException("the answer ends " + left + " bytes too early");
                }
                left = count < 0 ? 0 : left - count;
                return count;
            }
        };
    }
}
