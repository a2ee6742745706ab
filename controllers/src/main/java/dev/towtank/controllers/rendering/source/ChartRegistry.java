package dev.towtank.controllers.rendering.source;

import dev.towtank.cluster.registry.RegistryChallenge;
import dev.towtank.cluster.registry.RegistryHost;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A chart in an OCI registry: its tags are versions, and each has a layer that is the archive.
final class ChartRegistry {
    private static final Pattern REFERENCE =
            Pattern.compile("oci://([A-Za-z0-9.-]+(?::[0-9]+)?|\\[[0-9a-fA-F:]+](?::[0-9]+)?)/([a-z0-9._/-]+)");
    private static final String LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
    private static final int LARGEST_ANSWER = 4 << 20;
    private static final int PAGES = 50;

    private final String host;
    private final String path;
    private final WebFiles web;
    private final Optional<Login> login;
    private @Nullable String authorization;

    private ChartRegistry(String host, String path, WebFiles web, Optional<Login> login) {
        this.host = host;
        this.path = path;
        this.web = web;
        this.login = login;
    }

    static ChartRegistry of(String reference, WebFiles web, Optional<Login> login) throws IOException {
        var matcher = REFERENCE.matcher(reference);
        if (!matcher.matches() || matcher.group(2).contains("..")) {
            throw new IOException("a chart in a registry is oci://host/path/name, not "
                    + reference.replaceFirst("://[^/@\\s]+@", "://"));
        }
        return new ChartRegistry(matcher.group(1), matcher.group(2), web, login);
    }

    String version(String wanted) throws IOException {
        // A whole version is a tag; only a range needs all of them.
        if (wanted.matches("v?[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?")) {
            return wanted;
        }
        return Versions.choose(tags(), wanted)
                .orElseThrow(() -> new IOException(
                        "could not locate a version matching provided version string " + wanted + " in " + shown()));
    }

    private List<String> tags() throws IOException {
        var tags = new ArrayList<String>();
        var next = "/v2/" + path + "/tags/list";
        for (int i = 0; i < PAGES && !next.isEmpty(); i++) {
            var page = get(next, LARGEST_ANSWER, "application/json");
            for (var tag : json(page).array("tags").strings()) {
                tags.add(tag.replace('_', '+'));
            }
            next = following(page.header("Link"));
        }
        return tags;
    }

    private String following(String link) {
        var matcher = Pattern.compile("<(/v2/[^>]*)>; *rel=\"?next\"?").matcher(link);
        return matcher.matches() ? matcher.group(1) : "";
    }

    byte[] archive(String version) throws IOException {
        var manifest = json(get(
                "/v2/" + path + "/manifests/" + encoded(version.replace('+', '_')),
                LARGEST_ANSWER,
                "application/vnd.oci.image.manifest.v1+json"));
        for (var layer : manifest.objects("layers")) {
            if (layer.string("mediaType").equals(LAYER)) {
                return blob(layer.string("digest"));
            }
        }
        throw new IOException(shown() + ":" + version + " is no chart: it has no layer of the type " + LAYER);
    }

    private byte[] blob(String digest) throws IOException {
        if (!digest.matches("sha256:[0-9a-f]{64}")) {
            throw new IOException(shown() + " has a layer whose digest cannot be read");
        }
        var body = get("/v2/" + path + "/blobs/" + digest, ChartCache.LARGEST, "*/*")
                .body();
        if (!digest.equals("sha256:" + HexFormat.of().formatHex(Sha256.of(body)))) {
            throw new IOException(shown() + " has a layer that is not what its digest says");
        }
        return body;
    }

    private WebFiles.Page get(String place, int largest, String accepted) throws IOException {
        var address = URI.create(scheme() + "://" + host + place);
        var page = ask(address, largest, accepted);
        if (page.status() == 401 && authorization == null) {
            authorization = authorization(page.header("WWW-Authenticate"));
            page = ask(address, largest, accepted);
        }
        ChartIndex.good(address, page);
        return page;
    }

    // On this machine, too, who is told of an authority means to use it.
    private String scheme() {
        return web.hasAuthorities(host.replaceFirst(":[0-9]+$", "")) ? "https" : new RegistryHost(host).scheme();
    }

    private WebFiles.Page ask(URI address, int largest, String accepted) throws IOException {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Accept", accepted);
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
        return web.get(address, headers, largest);
    }

    private String authorization(String header) throws IOException {
        var challenge = RegistryChallenge.parse(header);
        if (!challenge.wantsToken()
                || login.filter(each -> each.kind() == Login.Kind.REGISTRY_TOKEN)
                        .isPresent()) {
            return login.map(Login::header)
                    .orElseThrow(() -> new IOException("the registry " + host + " wants a name and password"));
        }
        var registry = new RegistryHost(host);
        var identity = login.filter(each -> each.kind() == Login.Kind.IDENTITY_TOKEN);
        URI place;
        WebFiles.Page page;
        if (identity.isPresent()) {
            place = challenge.exchangeAddress(registry);
            page = web.post(place, challenge.exchange(identity.get().secret(), path), LARGEST_ANSWER);
        } else {
            place = challenge.tokenAddress(registry, path);
            var headers = new LinkedHashMap<String, String>();
            login.ifPresent(each -> headers.put("Authorization", each.header()));
            page = web.get(place, headers, LARGEST_ANSWER);
        }
        ChartIndex.good(place, page);
        return RegistryChallenge.authorization(page.body());
    }

    private Json.Obj json(WebFiles.Page page) throws IOException {
        try {
            return JsonText.parseObject(page.body());
        } catch (JsonText.Malformed e) {
            throw new IOException("the registry " + host + " answers with what is no JSON", e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String shown() {
        return "oci://" + host + "/" + path;
    }
}
