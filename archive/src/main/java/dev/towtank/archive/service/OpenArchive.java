package dev.towtank.archive.service;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.store.Archive;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The archive that is meant at the moment: opened when it is first needed, and again where another one is wanted.
final class OpenArchive implements AutoCloseable {

    private static final String FILE = "archive.sqlite";
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:\\-\\[\\]]{0,252}");

    private final Cluster cluster;
    private final Cache results;
    private final Supplier<Path> directory;
    private final InstantSource clock;
    private @Nullable Opened opened;

    private record Opened(ArchiveSettings.DatabaseChoice choice, Archive archive) {}

    OpenArchive(Cluster cluster, Cache results, Supplier<Path> directory, InstantSource clock) {
        this.cluster = cluster;
        this.results = results;
        this.directory = directory;
        this.clock = clock;
    }

    /// The TektonResult that switches it on, where there is one.
    Optional<Resource> switchedOnBy() {
        return results.get(ResultKinds.NAME).filter(ArchiveSettings::isOn);
    }

    /// @throws Refusal there is none, or its database cannot be reached
    synchronized Archive archive() {
        var result = switchedOnBy()
                .orElseThrow(() -> new ArchiveRefusal(
                        ArchiveRefusal.Code.UNAVAILABLE,
                        "runs are not archived here: a TektonResult named result switches that on"));
        var settings = ArchiveSettings.of(result);
        var known = opened;
        if (known != null && known.choice.equals(settings.database())) {
            return known.archive;
        }
        close();
        var archive = new Archive(Database.open(url(settings)), clock, Archive.Limits.DEFAULT);
        opened = new Opened(settings.database(), archive);
        return archive;
    }

    private String url(ArchiveSettings settings) {
        return switch (settings.database()) {
            case ArchiveSettings.DatabaseChoice.OwnFile _ ->
                "jdbc:sqlite:" + directory.get().resolve(FILE);
            case ArchiveSettings.DatabaseChoice.External external -> postgres(external, settings.namespace());
        };
    }

    private String postgres(ArchiveSettings.DatabaseChoice.External choice, String namespace) {
        if (!HOST.matcher(choice.host()).matches()) {
            throw ArchiveRefusal.invalid("spec.db_host is no name of a host");
        }
        var secret = cluster.get(Secrets.KIND, new ObjectName(LogicalCluster.DEFAULT, namespace, choice.secret()))
                .orElseThrow(() -> new ArchiveRefusal(
                        ArchiveRefusal.Code.UNAVAILABLE, "there is no Secret " + namespace + "/" + choice.secret()));
        return "jdbc:postgresql://" + choice.host() + ":" + choice.port() + "/" + encoded(choice.name()) + "?user="
                + encoded(value(secret, choice.userKey())) + "&password="
                + encoded(value(secret, choice.passwordKey()))
                + (choice.sslMode().isEmpty() ? "" : "&sslmode=" + encoded(choice.sslMode()));
    }

    private static String value(Resource secret, String key) {
        var text = secret.json().string("data", key);
        if (text.isEmpty()) {
            throw new ArchiveRefusal(
                    ArchiveRefusal.Code.UNAVAILABLE,
                    "Secret " + secret.namespace() + "/" + secret.name() + " has no key " + key);
        }
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        var known = opened;
        opened = null;
        if (known != null) {
            known.archive.close();
        }
    }
}
