package dev.towtank.apiserver.http;

import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The path of a request, decoded: its logical cluster and what follows.
///
/// Segments are decoded one by one after splitting, so an encoded slash never makes a new segment; what could mean
/// something else to the next reader (`..`, control characters, broken encoding) is refused.
///
/// @param cluster the one named by `/clusters/<id>`
/// @param segments never empty strings, except behind the first five: a proxied path may contain `//`
record RequestPath(Optional<LogicalCluster> cluster, List<String> segments) {

    private static final int LONGEST = 8192;
    /// `api/v1/namespaces/<name>/<resource>`: behind these, a path may belong to whom it is passed on to.
    private static final int OURS = 5;

    RequestPath {
        segments = List.copyOf(segments);
    }

    /// @throws StatusError BadRequest for a path that is not plain, NotFound for one that cannot exist
    static RequestPath parse(String raw) {
        if (raw.length() > LONGEST) {
            throw StatusError.badRequest("the path of the request is longer than " + LONGEST + " characters");
        }
        List<String> segments = new ArrayList<>();
        var trimmed = raw.startsWith("/") ? raw.substring(1) : raw;
        if (trimmed.endsWith("/")) {
            trimmed = trimmed.substring(0, trimmed.length() - 1);
        }
        if (!trimmed.isEmpty()) {
            for (var part : trimmed.split("/", -1)) {
                segments.add(checked(decode(part), segments.size()));
            }
        }
        if (!segments.isEmpty() && segments.getFirst().equals("clusters")) {
            if (segments.size() < 2 || !LogicalCluster.isValid(segments.get(1))) {
                throw NotServed.error();
            }
            var cluster = new LogicalCluster(segments.get(1));
            return new RequestPath(Optional.of(cluster), segments.subList(2, segments.size()));
        }
        return new RequestPath(Optional.empty(), segments);
    }

    boolean startsWith(String first) {
        return !segments.isEmpty() && segments.getFirst().equals(first);
    }

    /// Without the logical cluster.
    String text() {
        return "/" + String.join("/", segments);
    }

    private static String checked(String segment, int position) {
        if (segment.isEmpty() && position <= OURS) {
            throw NotServed.error();
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw StatusError.badRequest("the path of the request contains \"" + segment + "\"");
        }
        if (segment.indexOf('/') >= 0 || segment.indexOf('\\') >= 0 || segment.indexOf('%') >= 0) {
            throw StatusError.badRequest("the path of the request contains an encoded '/', '\\' or '%'");
        }
        for (int i = 0; i < segment.length(); i++) {
            if (segment.charAt(i) < ' ' || segment.charAt(i) == 0x7f) {
                throw StatusError.badRequest("the path of the request contains a control character");
            }
        }
        return segment;
    }

    private static String decode(String part) {
        return part.indexOf('%') < 0 ? part : decodePercent(part, false);
    }

    /// @param plusIsSpace as in queries
    static String decodePercent(String text, boolean plusIsSpace) {
        var bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(hex(text, i + 1) << 4 | hex(text, i + 2));
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                bytes.write(' ');
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw StatusError.badRequest("the URL of the request contains bytes that are not UTF-8");
        }
    }

    private static int hex(String text, int position) {
        int digit = position < text.length() ? Character.digit(text.charAt(position), 16) : -1;
        if (digit < 0) {
            throw StatusError.badRequest("the URL of the request contains a broken percent encoding");
        }
        return digit;
    }
}
