package dev.towtank.controllers.rendering.source;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Charts of other machines: from repositories with an `index.yaml`, and from OCI registries. What was read once is
/// kept, and is as it was then: a version of a chart does not change. [BundledCharts] are among them.
public final class ChartStore {
    private final ChartCache cache;
    private final WebFiles web;
    private final Function<String, Optional<Login>> logins;

    /// @param cache a folder that only we write to
    /// @param logins for the address of a repository or registry
    public ChartStore(Path cache, Function<String, Optional<Login>> logins) {
        this(cache, logins, _ -> "");
    }

    /// @param authorities certificates in PEM that count for a host beside those of the machine; empty for none
    public ChartStore(Path cache, Function<String, Optional<Login>> logins, UnaryOperator<String> authorities) {
        this.cache = new ChartCache(cache);
        this.web = new WebFiles(authorities);
        this.logins = logins;
    }

    /// The version that a wish means now: the newest one that is wanted.
    ///
    /// @param repository as in `https://charts.example/stable`, or `oci://registry.example/charts`
    /// @param wanted a version or a range; empty for the newest release
    /// @throws IOException where there is none, or nobody answers; for people, without anything secret in it
    public String version(String repository, String chart, String wanted) throws IOException {
        if (BundledCharts.isAddress(repository)) {
            return BundledCharts.version(chart, wanted);
        }
        return isRegistry(repository)
                ? registry(repository, chart).version(wanted)
                : index(repository).entry(chart, wanted).version();
    }

    /// The files of a chart, by their paths in it.
    public Map<String, byte[]> files(String repository, String chart, String wanted) throws IOException {
        if (BundledCharts.isAddress(repository)) {
            return BundledCharts.files(chart, wanted);
        }
        if (isRegistry(repository)) {
            var registry = registry(repository, chart);
            var version = registry.version(wanted);
            return cache.files(repository + "/" + chart, version, () -> registry.archive(version));
        }
        var index = index(repository);
        var entry = index.entry(chart, wanted);
        return cache.files(repository + " " + chart, entry.version(), () -> index.archive(entry));
    }

    /// The files of the chart in an archive that an address leads to.
    public Map<String, byte[]> archive(String address) throws IOException {
        var place = address(address);
        var headers = login(address)
                .map(Login::header)
                .map(each -> Map.of("Authorization", each))
                .orElse(Map.of());
        return ChartCache.unpacked(ChartIndex.good(place, web.get(place, headers, ChartCache.LARGEST)));
    }

    private static boolean isRegistry(String repository) {
        return repository.startsWith("oci://");
    }

    private ChartRegistry registry(String repository, String chart) throws IOException {
        var whole = repository.replaceFirst("/+$", "") + (chart.isEmpty() ? "" : "/" + chart);
        return ChartRegistry.of(whole, web, login(repository));
    }

    private ChartIndex index(String repository) throws IOException {
        var bare = repository.replaceFirst("/+$", "");
        return ChartIndex.read(address(bare), web, login(repository), cache);
    }

    // A name in the address is one to log in with, and goes no further.
    private Optional<Login> login(String address) throws IOException {
        var known = logins.apply(address);
        if (known.isPresent() || isRegistry(address)) {
            return known;
        }
        var user = Optional.ofNullable(address(address, true).getUserInfo());
        return user.map(each -> each.split(":", 2)).map(each -> new Login(each[0], each.length > 1 ? each[1] : ""));
    }

    private static URI address(String text) throws IOException {
        return address(text, false);
    }

    private static URI address(String text, boolean withUser) throws IOException {
        try {
            var uri = new URI(withUser ? text : text.replaceFirst("://[^/@\\s]+@", "://"));
            if (uri.getHost() != null && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new IOException("the address of a chart repository cannot be read: " + e.getReason(), e);
        }
        throw new IOException("a chart repository is https://…, http://… or oci://…, not "
                + text.replaceFirst("://[^/@\\s]+@", "://"));
    }
}
