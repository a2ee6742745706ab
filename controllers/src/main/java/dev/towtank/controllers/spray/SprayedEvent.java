package dev.towtank.controllers.spray;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// An event as it came in: everybody gets the same bytes, so that everybody can check its signature again.
public final class SprayedEvent {

    /// Of the connection, not of the event.
    private static final Set<String> HOP = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final String path;
    private final String query;
    private final Map<String, List<String>> headers;
    private final byte[] body;

    /// @param path behind the proxy's own
    /// @param headers those that are passed on are kept
    /// @param body not copied: nobody changes it
    public SprayedEvent(String path, String query, Map<String, List<String>> headers, byte[] body) {
        var kept = new LinkedHashMap<String, List<String>>();
        headers.forEach((name, values) -> {
            if (!HOP.contains(name.toLowerCase(Locale.ROOT)) && !name.startsWith(":")) {
                kept.put(name, List.copyOf(values));
            }
        });
        this.path = path;
        this.query = query;
        this.headers = Collections.unmodifiableMap(kept);
        this.body = body;
    }

    public String path() {
        return path;
    }

    public String query() {
        return query;
    }

    public Map<String, List<String>> headers() {
        return headers;
    }

    public byte[] body() {
        return body;
    }

    /// How a forge calls it, for those who look at the queue.
    public String delivery() {
        var name = headers.getOrDefault("x-github-delivery", List.of());
        return name.isEmpty() ? "" : name.getFirst();
    }

    /// One line of JSON, and the body behind it.
    public byte[] bytes() {
        var lists = Json.Obj.builder();
        headers.forEach((name, values) -> lists.put(name, Json.Arr.ofStrings(values)));
        var head = Json.Obj.builder()
                .put("path", path)
                .put("query", query)
                .put("headers", lists.build())
                .build();
        var out = new ByteArrayOutputStream();
        out.writeBytes(JsonText.bytes(head));
        out.write('\n');
        out.writeBytes(body);
        return out.toByteArray();
    }

    /// @throws JsonText.Malformed it is no event that was kept
    public static SprayedEvent parse(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        var head = JsonText.parseObject(new String(bytes, 0, end, StandardCharsets.UTF_8));
        var headers = new LinkedHashMap<String, List<String>>();
        head.object("headers")
                .keys()
                .forEach(name ->
                        headers.put(name, head.object("headers").array(name).strings()));
        return new SprayedEvent(
                head.string("path"),
                head.string("query"),
                headers,
                Arrays.copyOfRange(bytes, Math.min(bytes.length, end + 1), bytes.length));
    }

    /// Neither query nor headers nor body, which may hold secrets.
    @Override
    public String toString() {
        return "event " + delivery();
    }
}
