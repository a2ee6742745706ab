package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.MAP;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Values;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Sprig's addresses in parts, taken apart and put together as Go's net/url does.
final class UrlFunctions {
    private static final String UNRESERVED = "-_.~";
    private static final String IN_PATH = UNRESERVED + "$&+,/:;=@";
    private static final String IN_USER = UNRESERVED + "$&+,;=";

    static final Functions ALL = Functions.builder()
            .add("urlParse", call -> parse(call.string(0)), STRING)
            .add("urlJoin", call -> join(call.map(0)), MAP)
            .build();

    private UrlFunctions() {}

    private static Map<String, @Nullable Object> parse(String url) {
        var parts = new TreeMap<String, @Nullable Object>();
        for (var name :
                new String[] {"scheme", "host", "hostname", "path", "query", "opaque", "fragment", "userinfo"}) {
            parts.put(name, "");
        }
        int hash = url.indexOf('#');
        parts.put("fragment", hash < 0 ? "" : decoded(url, url.substring(hash + 1)));
        var rest = hash < 0 ? url : url.substring(0, hash);
        if (rest.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
            throw failure(url, "net/url: invalid control character in URL");
        }
        int colon = schemeEnd(url, rest);
        parts.put("scheme", colon < 0 ? "" : rest.substring(0, colon).toLowerCase(Locale.ROOT));
        rest = rest.substring(colon + 1);
        int question = rest.indexOf('?');
        parts.put("query", question < 0 ? "" : rest.substring(question + 1));
        rest = question < 0 ? rest : rest.substring(0, question);
        if (colon >= 0 && !rest.startsWith("/")) {
            parts.put("opaque", rest);
            return parts;
        }
        if (rest.startsWith("//") && (colon >= 0 || !rest.startsWith("///"))) {
            int slash = rest.indexOf('/', 2);
            authority(url, slash < 0 ? rest.substring(2) : rest.substring(2, slash), parts);
            rest = slash < 0 ? "" : rest.substring(slash);
        } else if (colon < 0 && rest.split("/", 2)[0].contains(":")) {
            throw failure(url, "first path segment in URL cannot contain colon");
        }
        parts.put("path", decoded(url, rest));
        return parts;
    }

    private static int schemeEnd(String url, String rest) {
        for (int i = 0; i < rest.length(); i++) {
            char c = rest.charAt(i);
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (c == ':') {
                if (i == 0) {
                    throw failure(url, "missing protocol scheme");
                }
                return i;
            }
            if (!isLetter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
                return -1;
            }
        }
        return -1;
    }

    private static void authority(String url, String text, Map<String, @Nullable Object> parts) {
        int at = text.lastIndexOf('@');
        var host = text.substring(at + 1);
        if (at >= 0) {
            var user = text.substring(0, at).split(":", 2);
            parts.put(
                    "userinfo",
                    encoded(decoded(url, user[0]), IN_USER)
                            + (user.length > 1 ? ":" + encoded(decoded(url, user[1]), IN_USER) : ""));
        }
        int bracket = host.lastIndexOf(']');
        int colon = host.indexOf(':', Math.max(bracket, 0));
        if (colon >= 0 && !host.substring(colon + 1).matches("[0-9]*")) {
            throw failure(url, "invalid port " + GoText.quote(host.substring(colon)) + " after host");
        }
        var bare = colon >= 0 ? host.substring(0, colon) : host;
        parts.put("host", host);
        parts.put("hostname", bracket > 0 ? bare.substring(1, bracket) : bare);
    }

    private static String join(Map<String, @Nullable Object> parts) {
        var scheme = text(parts, "scheme");
        var host = text(parts, "host");
        var user = text(parts, "userinfo");
        var path = text(parts, "path");
        var out = new StringBuilder(scheme.isEmpty() ? "" : scheme + ":");
        if (!text(parts, "opaque").isEmpty()) {
            out.append(text(parts, "opaque"));
        } else {
            if (!scheme.isEmpty() || !host.isEmpty() || !user.isEmpty()) {
                out.append(host.isEmpty() && path.isEmpty() && user.isEmpty() ? "" : "//");
                out.append(user.isEmpty() ? "" : user(user) + "@").append(host);
            }
            boolean needsSlash = !path.isEmpty() && !path.startsWith("/") && !host.isEmpty();
            out.append(needsSlash ? "/" : "").append(encoded(path, IN_PATH));
        }
        out.append(text(parts, "query").isEmpty() ? "" : "?" + text(parts, "query"));
        var fragment = text(parts, "fragment");
        return out.append(fragment.isEmpty() ? "" : "#" + encoded(fragment, IN_PATH + "?!()*"))
                .toString();
    }

    private static String user(String text) {
        var parts = new TreeMap<String, @Nullable Object>();
        authority("proto://" + text + "@host", text + "@host", parts);
        return String.valueOf(parts.get("userinfo"));
    }

    private static String text(Map<String, @Nullable Object> parts, String name) {
        if (!parts.containsKey(name)) {
            return "";
        }
        if (parts.get(name) instanceof String text) {
            return text;
        }
        throw new FunctionError("unable to parse " + name + " key, must be of type string, but "
                + Values.kind(parts.get(name)) + " found");
    }

    private static String decoded(String url, String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        var bytes = GoText.bytes(text);
        var out = new java.io.ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                out.write(bytes[i]);
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                var bad = new String(bytes, i, Math.min(3, bytes.length - i), java.nio.charset.StandardCharsets.UTF_8);
                throw failure(url, "invalid URL escape " + GoText.quote(bad));
            }
            out.write((high << 4) | low);
            i += 2;
        }
        return GoText.of(out.toByteArray());
    }

    private static String encoded(String text, String kept) {
        var out = new StringBuilder();
        for (byte each : GoText.bytes(text)) {
            char c = (char) (each & 0xFF);
            boolean isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (isPlain || kept.indexOf(c) >= 0) {
                out.append(c);
            } else {
                out.append('%').append(String.format("%02X", (int) c));
            }
        }
        return out.toString();
    }

    private static FunctionError failure(String url, String why) {
        return new FunctionError("unable to parse url: parse " + GoText.quote(url) + ": " + why);
    }
}
