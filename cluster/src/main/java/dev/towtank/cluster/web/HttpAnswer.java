package dev.towtank.cluster.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What comes back from an [HttpCalls].
///
/// @param length of the body; −1 where nobody has said it
public record HttpAnswer(int status, List<WebResponse.Header> headers, long length, Body body) {

    private static final int MOST_HEADERS = 200;
    private static final int MOST_INTERIM = 10;

    /// A body of this size is read at once, so that the connection is free for the next.
    private static final int SMALL = 64 << 10;

    /// Passes it on, once.
    public interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    static HttpAnswer read(HttpInput input, boolean mayHaveBody, Runnable giveBack, Runnable cut) throws IOException {
        int status = status(input.firstLine());
        var headers = headers(input);
        for (int interim = 0; status / 100 == 1; interim++) {
            if (interim >= MOST_INTERIM) {
                throw new IOException("it announces an answer again and again");
            }
            status = status(input.line());
            headers = headers(input);
        }
        boolean isLast = value(headers, "connection").equalsIgnoreCase("close");
        boolean hasBody = mayHaveBody && status != 204 && status != 304;
        boolean isChunked = hasBody
                && value(headers, "transfer-encoding").toLowerCase(Locale.ROOT).endsWith("chunked");
        long length = hasBody ? length(value(headers, "content-length"), isChunked) : 0;
        Runnable after = isLast || (length < 0 && !isChunked) ? cut : giveBack;
        if (length >= 0 && length <= SMALL) {
            var bytes = input.bytes(length).readAllBytes();
            after.run();
            return new HttpAnswer(status, headers, length, new Kept(bytes));
        }
        var rest = isChunked ? new Chunks(input) : input.bytes(length);
        return new HttpAnswer(status, headers, length, new Coming(rest, after, cut));
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over once, and never compared
    private record Kept(byte[] bytes) implements Body {
        @Override
        public void writeTo(OutputStream out) throws IOException {
            out.write(bytes);
        }
    }

    private record Coming(InputStream rest, Runnable after, Runnable cut) implements Body {
        @Override
        public void writeTo(OutputStream out) throws IOException {
            boolean isWhole = false;
            try {
                rest.transferTo(out);
                isWhole = true;
            } finally {
                (isWhole ? after : cut).run();
            }
        }
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
            throw new IOException("its answer is no HTTP");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private static List<WebResponse.Header> headers(HttpInput input) throws IOException {
        var headers = new ArrayList<WebResponse.Header>();
        for (var line = input.line(); !line.isEmpty(); line = input.line()) {
            int colon = line.indexOf(':');
            if (colon < 1 || headers.size() >= MOST_HEADERS) {
                throw new IOException("its answer has headers that are none, or too many");
            }
            headers.add(new WebResponse.Header(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return headers;
    }

    private static String value(List<WebResponse.Header> headers, String name) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(WebResponse.Header::value)
                .findFirst()
                .orElse("");
    }

    private static long length(String text, boolean isChunked) throws IOException {
        if (isChunked || text.isEmpty()) {
            return -1;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw new IOException("its answer has no length that is one");
        }
        return Long.parseLong(text);
    }

    /// A body in pieces, each with its length before it.
    private static final class Chunks extends InputStream {
        private final HttpInput input;
        private InputStream piece = InputStream.nullInputStream();
        private boolean begun;
        private boolean ended;

        Chunks(HttpInput input) {
            this.input = input;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int most) throws IOException {
            while (!ended) {
                int count = piece.read(target, offset, most);
                if (count >= 0) {
                    return count;
                }
                next();
            }
            return -1;
        }

        private void next() throws IOException {
            if (begun && !input.line().isEmpty()) {
                throw new IOException("a piece of the answer is longer than it says");
            }
            begun = true;
            var size = input.line().replaceFirst(";.*", "").strip();
            if (!size.matches("[0-9a-fA-F]{1,15}")) {
                throw new IOException("a piece of the answer has no length");
            }
            long length = Long.parseLong(size, 16);
            if (length == 0) {
                headers(input); // behind the last piece
                ended = true;
            } else {
                piece = input.bytes(length);
            }
        }
    }
}
