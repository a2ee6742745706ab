package dev.towtank.controllers.pipelines.source;

import dev.towtank.cluster.registry.RegistryChallenge;
import dev.towtank.cluster.registry.RegistryHost;
import dev.towtank.cluster.registry.RegistryLogins;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An image in a registry, asked by the distribution protocol.
final class RegistryImage implements BundleImage {

    private static final String MANIFESTS = String.join(
            ", ",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json");

    private final BundleReference reference;
    private final List<Json.Obj> auths;
    private final Duration limit;
    private @Nullable String authorization;

    /// @param auths by registry, as in a `.dockerconfigjson`
    RegistryImage(BundleReference reference, List<Json.Obj> auths, Duration limit) {
        this.reference = reference;
        this.auths = List.copyOf(auths);
        this.limit = limit;
    }

    @Override
    public Manifest manifest() throws Problem, InterruptedException {
        var manifest = manifest(reference.version());
        return BundleImage.isIndex(manifest.json())
                ? manifest(BundleImage.chosen(manifest.json()).string("digest"))
                : manifest;
    }

    private Manifest manifest(String version) throws Problem, InterruptedException {
        var bytes = get("manifests/" + version, LARGEST_MANIFEST);
        if (version.startsWith("sha256:")) {
            Digests.checked(version, bytes);
        }
        try {
            return new Manifest(Digests.of(bytes), JsonText.parseObject(bytes));
        } catch (JsonText.Malformed e) {
            throw new Problem("could not parse image manifest: " + e.getMessage());
        }
    }

    @Override
    public byte[] blob(String digest) throws Problem, InterruptedException {
        Digests.checkedName(digest);
        return Digests.checked(digest, get("blobs/" + digest, LARGEST_LAYER));
    }

    private byte[] get(String part, int largest) throws Problem, InterruptedException {
        var address = URI.create(
                reference.scheme() + "://" + reference.registry() + "/v2/" + reference.repository() + "/" + part);
        var page = page(address, largest);
        if (page.status() == 401 && authorization == null) {
            authorization = authorization(page.headers().getOrDefault("WWW-Authenticate", ""));
            page = page(address, largest);
        }
        if (!page.isGood()) {
            throw Problem.status(page.status(), "GET %s: unexpected status code %d".formatted(address, page.status()));
        }
        return page.bytes();
    }

    private Fetch.Page page(URI address, int largest) throws Problem, InterruptedException {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Accept", MANIFESTS);
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
        return new Fetch(limit, largest).get(address, headers);
    }

    /// As the registry wants to be told who asks: with a password, or with a token that another server gives for it.
    private String authorization(String header) throws Problem, InterruptedException {
        var own = RegistryLogins.authorization(auths, reference.name());
        var challenge = RegistryChallenge.parse(header);
        if (!challenge.wantsToken()) {
            return own.orElseThrow(() -> new Problem(
                    "the registry %s wants credentials, and there are none".formatted(reference.registry())));
        }
        try {
            var address = challenge.tokenAddress(new RegistryHost(reference.registry()), reference.repository());
            var page = new Fetch(limit, Resolver.LARGEST)
                    .get(
                            address,
                            own.map(value -> Map.of("Authorization", value)).orElse(Map.of()));
            if (!page.isGood()) {
                throw Problem.status(
                        page.status(), "no token for %s: status %d".formatted(reference.name(), page.status()));
            }
            return RegistryChallenge.authorization(page.bytes());
        } catch (IOException e) {
            throw new Problem(String.valueOf(e.getMessage()));
        }
    }
}
