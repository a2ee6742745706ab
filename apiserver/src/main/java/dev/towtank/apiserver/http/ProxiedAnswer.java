package dev.towtank.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What a program says over HTTP/1.1.
///
/// @param body to its end, however that was told
record ProxiedAnswer(int code, List<Header> headers, InputStream body) {

    private static final int LONGEST_LINE = 16 * 1024;
    private static final int MOST_HEADERS = 256;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})( .*)?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    record Header(String name, String value) {}

    /// @param method of the request
    static ProxiedAnswer read(InputStream in, String method) throws IOException {
        while (true) {
            var status = STATUS.matcher(line(in));
            if (!status.matches()) {
                throw new IOException("malformed HTTP response");
            }
            int code = Integer.parseInt(status.group(1));
            var headers = headers(in);
            if (code >= 200) {
                return new ProxiedAnswer(code, headers, body(in, code, headers, method));
            }
            // Something is still to come.
        }
    }

    private static List<Header> headers(InputStream in) throws IOException {
        var headers = new ArrayList<Header>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1 || !NAME.matcher(line.substring(0, colon)).matches() || headers.size() >= MOST_HEADERS) {
                throw new IOException("malformed header in HTTP response");
            }
            headers.add(new Header(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return headers;
    }

    private static InputStream body(InputStream in, int code, List<Header> headers, String method) throws IOException {
        if (method.equals("HEAD") || code == 204 || code == 304) {
            return InputStream.nullInputStream();
        }
        if (value(headers, "transfer-encoding").toLowerCase(Locale.ROOT).endsWith("chunked")) {
            return new Chunks(in);
        }
        var length = value(headers, "content-length");
        if (length.isEmpty()) {
            return in; // until it hangs up
        }
        if (!length.matches("[0-9]{1,18}")) {
            throw new IOException("malformed Content-Length in HTTP response");
        }
        return new Counted(in, Long.parseLong(length));
    }

    private static String value(List<Header> headers, String name) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .findFirst()
                .orElse("");
    }

    private static String line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int letter = in.read(); letter != '\n'; letter = in.read()) {
            if (letter < 0) {
                throw new EOFException("EOF");
            }
            if (bytes.size() >= LONGEST_LINE) {
                throw new IOException("a header of the HTTP response is longer than " + LONGEST_LINE + " bytes");
            }
            bytes.write(letter);
        }
        var text = bytes.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /// So many bytes, and not one less.
    private static final class Counted extends InputStream {
        private final InputStream in;
        private long left;

        Counted(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(buffer, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("unexpected EOF");
            }
            left -= count;
            return count;
        }
    }

    /// Pieces that each say how long they are.
    private static final class Chunks extends InputStream {
        private final InputStream in;
        private InputStream piece = InputStream.nullInputStream();
        private boolean first = true;
        private boolean over;

        Chunks(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            while (!over) {
                int count = piece.read(buffer, offset, length);
                if (count >= 0) {
                    return count;
                }
                next();
            }
            return -1;
        }

        private void next() throws IOException {
            if (!first && !line(in).isEmpty()) {
                throw new IOException("malformed chunked encoding");
            }
            first = false;
            var size = line(in).split(";", 2)[0].strip();
            if (!size.matches("[0-9a-fA-F]{1,8}")) {
                throw new IOException("malformed chunked encoding");
            }
            long length = Long.parseLong(size, 16);
            over = length == 0;
            piece = new Counted(in, length);
        }
    }
}
