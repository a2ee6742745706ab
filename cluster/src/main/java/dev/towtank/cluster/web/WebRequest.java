package dev.towtank.cluster.web;

import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A request as a feature sees it.
///
/// @param method in upper case
/// @param path as it was sent, with its escapes, from the first slash; in an [Endpoint] without the prefix of the
/// cluster
/// @param query as it was sent, without the question mark; empty where there is none
/// @param headers by their names in lower case
/// @param body ends early with an [IOException] when it is larger than the endpoint takes
/// @param caller who it is, where the endpoint asks for that
/// @param isSecure whether it came over TLS
public record WebRequest(
        String method,
        String path,
        String query,
        Map<String, List<String>> headers,
        InputStream body,
        Optional<Caller> caller,
        boolean isSecure) {

    /// Somebody who has shown who they are.
    ///
    /// @param cluster whose API they talk to
    public record Caller(String name, List<String> groups, LogicalCluster cluster) {
        public Caller {
            groups = List.copyOf(groups);
        }
    }

    public WebRequest {
        headers = Map.copyOf(headers);
    }

    /// The first header of the name, or an empty text.
    public String header(String name) {
        var values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        return values.isEmpty() ? "" : values.getFirst();
    }

    /// The first value of a parameter in the query, or an empty text.
    public String parameter(String name) {
        for (var pair : query.split("&", -1)) {
            int sign = pair.indexOf('=');
            if (decoded(sign < 0 ? pair : pair.substring(0, sign)).equals(name)) {
                return sign < 0 ? "" : decoded(pair.substring(sign + 1));
            }
        }
        return "";
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // no escapes, but a percent sign
        }
    }

    /// The whole body.
    ///
    /// @throws TooLarge when it is larger than the endpoint takes
    public byte[] readBody() throws IOException {
        return body.readAllBytes();
    }

    /// The body is larger than the endpoint takes.
    public static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1;

        public TooLarge(long limit) {
            super("the body is larger than " + limit + " bytes, which is all that is taken here");
        }
    }

    /// Neither query nor headers, which may hold secrets.
    @Override
    public String toString() {
        return method + " " + path;
    }
}
