package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import dev.towtank.model.protobuf.ProtobufReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// Reads what a request carries. Blocks until it is all there.
///
/// @param limit in bytes
record Bodies(int limit) {

    private static final List<String> OBJECTS =
            List.of("application/json", "application/yaml", ProtobufReader.MEDIA_TYPE);
    private static final List<String> PATCHES = List.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml");
    /// As long a body is read in one piece.
    static final int TRUSTED = 64 * 1024;
    private static final int DRAINED = 16 * 1024 * 1024;
    private static final Set<String> PLAIN_ENCODINGS = Set.of("", "identity");

    /// @throws StatusError UnsupportedMediaType, or RequestEntityTooLarge
    Body read(Reply reply, Verb verb) {
        if (verb.isReadOnly()) {
            return Body.None.NONE;
        }
        var request = reply.request();
        if (request.getLength() > limit) {
            throw StatusError.tooLarge(limit);
        }
        var mediaType = request.getLength() == 0 ? "" : mediaType(request, verb);
        var bytes = bytes(reply);
        return bytes.length == 0 && (verb == Verb.DELETE || verb == Verb.DELETECOLLECTION)
                ? Body.None.NONE
                : new Body.Text(mediaType.isEmpty() ? "application/json" : mediaType, bytes, reply::isOver);
    }

    private static String mediaType(Request request, Verb verb) {
        var encoding = header(request, HttpHeader.CONTENT_ENCODING).toLowerCase(Locale.ROOT);
        if (!PLAIN_ENCODINGS.contains(encoding)) {
            throw new StatusError(
                    Reason.UNSUPPORTED_MEDIA_TYPE,
                    "the body of the request was compressed (" + encoding + "); send it without Content-Encoding");
        }
        var header = header(request, HttpHeader.CONTENT_TYPE);
        int semicolon = header.indexOf(';');
        var mediaType = (semicolon < 0 ? header : header.substring(0, semicolon))
                .strip()
                .toLowerCase(Locale.ROOT);
        var accepted = verb == Verb.PATCH ? PATCHES : OBJECTS;
        if (mediaType.isEmpty() && verb != Verb.PATCH) {
            return "application/json";
        }
        if (!accepted.contains(mediaType)) {
            throw new StatusError(
                    Reason.UNSUPPORTED_MEDIA_TYPE,
                    "the body of the request was in an unknown format - accepted media types include: "
                            + String.join(", ", accepted));
        }
        return mediaType;
    }

    private byte[] bytes(Reply reply) {
        try {
            var bytes = reply.reception().read(() -> bytes(reply.request()));
            if (bytes.length > limit) {
                throw StatusError.tooLarge(limit);
            }
            return bytes;
        } catch (IOException e) {
            throw StatusError.badRequest("the body of the request could not be read: " + e.getMessage());
        }
    }

    private byte[] bytes(Request request) throws IOException {
        long length = request.getLength();
        var in = Content.Source.asInputStream(request);
        // What a client only says that it will send is not made room for.
        return length >= 0 && length <= TRUSTED ? exactly(in, (int) length) : in.readNBytes(limit + 1);
    }

    /// In one piece, where reading until the end would go through several.
    private static byte[] exactly(InputStream in, int length) throws IOException {
        var bytes = new byte[length];
        if (in.readNBytes(bytes, 0, length) < length) {
            throw new EOFException("it ended after less than its " + length + " bytes");
        }
        return bytes;
    }

    /// Reads and forgets what is left, within reason: a client that is refused while it still sends may see a broken
    /// connection instead of the refusal. Only a thread that may wait does so.
    void drain(Reply reply) {
        if (!Thread.currentThread().isVirtual() || reply.request().getLength() == 0) {
            return;
        }
        try {
            reply.reception().read(() -> skipped(reply.request()));
        } catch (IOException | IllegalStateException e) {
            // The client is gone, or has been answered meanwhile.
        }
    }

    private static long skipped(Request request) throws IOException {
        try (var in = Content.Source.asInputStream(request)) {
            return in.skip(DRAINED);
        }
    }

    private static String header(Request request, HttpHeader name) {
        var value = request.getHeaders().get(name);
        return value == null ? "" : value.strip();
    }
}
