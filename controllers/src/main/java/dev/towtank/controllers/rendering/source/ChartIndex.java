package dev.towtank.controllers.rendering.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The `index.yaml` of a chart repository: which charts there are, and where their archives lie.
final class ChartIndex {
    private static final int LARGEST = 64 << 20;

    private final URI repository;
    private final WebFiles web;
    private final Optional<Login> login;
    private final Json.Obj entries;

    private ChartIndex(URI repository, WebFiles web, Optional<Login> login, Json.Obj entries) {
        this.repository = repository;
        this.web = web;
        this.login = login;
        this.entries = entries;
    }

    /// One version of a chart.
    record Entry(String chart, String version, String address, String digest) {}

    /// A server that says that nothing has changed is not asked for all of it again.
    static ChartIndex read(URI repository, WebFiles web, Optional<Login> login, ChartCache cache) throws IOException {
        var name = ChartCache.name(repository.toString());
        var known = cache.read(name + ".index");
        var mark = cache.read(name + ".etag");
        var headers = new LinkedHashMap<String, String>();
        login.ifPresent(each -> headers.put("Authorization", each.header()));
        if (known.isPresent()) {
            mark.ifPresent(each -> headers.put("If-None-Match", new String(each, StandardCharsets.ISO_8859_1)));
        }
        var address = URI.create(repository + "/index.yaml");
        var page = web.get(address, headers, LARGEST);
        byte[] text;
        if (page.status() == 304 && known.isPresent()) {
            text = known.get();
        } else {
            text = good(address, page);
            if (!page.header("ETag").isEmpty()) {
                cache.write(name + ".index", text);
                cache.write(name + ".etag", page.header("ETag").getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return new ChartIndex(repository, web, login, entries(address, text));
    }

    static byte[] good(URI address, WebFiles.Page page) throws IOException {
        if (page.isGood()) {
            return page.body();
        }
        var why = switch (page.status()) {
            case 401, 403 -> ": it wants a name and password, or others than were given";
            case 404 -> ": there is nothing at this address";
            default -> "";
        };
        throw new IOException("failed to fetch " + WebFiles.shown(address) + " : " + page.status() + why);
    }

    private static Json.Obj entries(URI address, byte[] text) throws IOException {
        try {
            if (YamlText.parse(text, _ -> {}) instanceof Json.Obj index && index.has("entries")) {
                return index.object("entries");
            }
        } catch (JsonText.Malformed e) {
            throw new IOException(WebFiles.shown(address) + " cannot be read: " + e.getMessage(), e);
        }
        throw new IOException(WebFiles.shown(address) + " is no index of charts: it has no entries");
    }

    Entry entry(String chart, String wanted) throws IOException {
        var byVersion = new LinkedHashMap<String, Json.Obj>();
        for (var each : entries.objects(chart)) {
            byVersion.putIfAbsent(each.string("version"), each);
        }
        var version = Versions.choose(byVersion.keySet(), wanted)
                .orElseThrow(() -> new IOException(missing(chart, wanted, !byVersion.isEmpty())));
        var found = java.util.Objects.requireNonNull(byVersion.get(version));
        var urls = found.array("urls").strings();
        if (urls.isEmpty()) {
            throw new IOException("chart \"" + chart + "\" version \"" + version + "\" has no downloadable URLs");
        }
        return new Entry(chart, version, urls.getFirst(), found.string("digest"));
    }

    private String missing(String chart, String wanted, boolean hasOthers) {
        var where = " in " + WebFiles.shown(repository) + " repository";
        return !hasOthers
                ? "chart \"" + chart + "\" not found" + where
                : "chart \"" + chart + "\" matching version \"" + wanted + "\" not found" + where;
    }

    byte[] archive(Entry entry) throws IOException {
        URI place;
        try {
            place = URI.create(repository + "/").resolve(entry.address());
        } catch (IllegalArgumentException e) {
            throw new IOException("chart \"" + entry.chart() + "\" has an address that cannot be read", e);
        }
        boolean isSame = repository.getAuthority().equals(place.getAuthority())
                && repository.getScheme().equals(place.getScheme());
        Map<String, String> headers = isSame && login.isPresent()
                ? Map.of("Authorization", login.get().header())
                : Map.of();
        var archive = good(place, web.get(place, headers, ChartCache.LARGEST));
        var digest = HexFormat.of().formatHex(Sha256.of(archive));
        if (!entry.digest().isEmpty() && !entry.digest().replace("sha256:", "").equals(digest)) {
            throw new IOException("chart \"" + entry.chart() + "\" version \"" + entry.version()
                    + "\" is not what the index says: its digest is another");
        }
        return archive;
    }
}
