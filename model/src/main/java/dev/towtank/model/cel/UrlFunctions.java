package dev.towtank.model.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Absolute URLs and their parts.
final class UrlFunctions {

    private static final OpaqueType URL = OpaqueType.create("kubernetes.URL");

    private UrlFunctions() {}

    static void addTo(FunctionLibrary library) {
        library.function("url").global("string_to_url", URL, SimpleType.STRING, String.class, text -> {
            var parsed = parse(text);
            if (parsed == null) {
                throw new JsonValues.Missing("URL parse error during conversion from string: parse \"" + text
                        + "\": invalid URI for request");
            }
            return parsed;
        });
        library.function("isURL")
                .global("is_url_string", SimpleType.BOOL, SimpleType.STRING, String.class, text -> parse(text) != null);
        library.function("getScheme")
                .member("url_get_scheme", SimpleType.STRING, URL, URI.class, url -> orEmpty(url.getScheme()));
        library.function("getHost").member("url_get_host", SimpleType.STRING, URL, URI.class, url -> host(url, true));
        library.function("getHostname")
                .member(
                        "url_get_hostname",
                        SimpleType.STRING,
                        URL,
                        URI.class,
                        url -> host(url, false).replace("[", "").replace("]", ""));
        library.function("getPort")
                .member(
                        "url_get_port",
                        SimpleType.STRING,
                        URL,
                        URI.class,
                        url -> url.getPort() < 0 ? "" : Integer.toString(url.getPort()));
        library.function("getEscapedPath")
                .member("url_get_escaped_path", SimpleType.STRING, URL, URI.class, url -> orEmpty(url.getRawPath()));
        library.function("getQuery")
                .member(
                        "url_get_query",
                        MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)),
                        URL,
                        URI.class,
                        UrlFunctions::query);
    }

    // As Go's ParseRequestURI: an absolute URL or an absolute path.
    private static @Nullable URI parse(String text) {
        try {
            var url = new URI(text);
            boolean absolute = url.isAbsolute() && !url.isOpaque();
            return absolute || text.startsWith("/") ? url : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static String host(URI url, boolean withPort) {
        if (url.getHost() == null) {
            return "";
        }
        return withPort && url.getPort() >= 0 ? url.getHost() + ":" + url.getPort() : url.getHost();
    }

    private static String orEmpty(@Nullable String part) {
        return part == null ? "" : part;
    }

    static Map<String, List<String>> query(URI url) {
        var values = new LinkedHashMap<String, List<String>>();
        for (var pair : orEmpty(url.getRawQuery()).split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                var key = equals < 0 ? pair : pair.substring(0, equals);
                var value = equals < 0 ? "" : pair.substring(equals + 1);
                values.computeIfAbsent(decode(key), _ -> new ArrayList<>()).add(decode(value));
            }
        }
        return values;
    }

    private static String decode(String text) {
        var bytes = new ByteArrayOutputStream();
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '%' && i + 2 < raw.length && isHex(raw[i + 1]) && isHex(raw[i + 2])) {
                bytes.write(Character.digit(raw[i + 1], 16) * 16 + Character.digit(raw[i + 2], 16));
                i += 2;
            } else {
                bytes.write(raw[i] == '+' ? ' ' : raw[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean isHex(byte c) {
        return Character.digit(c, 16) >= 0;
    }
}
