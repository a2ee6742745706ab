package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.cluster.Feature;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every feature does its work with the rights that it declares and no others: in the default cluster, and in another.
///
/// What each has to do is in `rights/<name>.yaml`; see [Drive].
@Timeout(300)
class FeatureRightsTest {

    private static final LogicalCluster OTHER = new LogicalCluster("other");

    /// These have their objects in the default cluster; what GitOps makes of them may be in others.
    private static final Set<String> IN_DEFAULT_ALONE = Set.of("archive", "gitops", "operator", "pipelinesascode");

    private static final String IDENTITY = "system:serviceaccount:kube-system:";

    @TempDir
    Path directory;

    /// A write of a feature, or a refusal that it met.
    ///
    /// @param cluster empty for the default one
    private record Entry(String feature, String cluster, int code, String text) {}

    @Test
    void everyFeatureDoesItsWorkWithItsOwnRightsAlone() throws Exception {
        var data = new DataDirectory(directory.resolve("data"));
        data.make();
        var pki = Pki.open(data.pki(), InstantSource.system(), List.of());
        try (var engine = new EmbeddedEngine(HeadStart.of()).start(site(data, pki))) {
            Drive.make(engine.cluster(), OTHER);
            driveAll(engine, pki, Drive.repository(directory.resolve("repository")));
        }

        var entries = entries(data.audit());
        var identities = Features.all().stream().map(Feature::name).toList();
        assertThat(entries.stream().filter(entry -> identities.contains(entry.feature) && entry.code == 403))
                .isEmpty();
        assertThat(worked(entries, "")).containsAll(identities);
        assertThat(worked(entries, OTHER.id()))
                .contains("gitops")
                .containsAll(Features.all().stream()
                        .filter(FeatureRightsTest::worksInOthers)
                        .map(Feature::name)
                        .toList());
    }

    private static Engine.Site site(DataDirectory data, Pki pki) {
        return new Engine.Site(
                Optional.of(data.store()),
                data.features(),
                data.audit(),
                AuditSink.Level.METADATA,
                0,
                true,
                pki,
                InstantSource.system(),
                Optional.empty(),
                Optional.of(new Engine.Node(data.node(), data.images(), true, List.of())));
    }

    private static boolean worksInOthers(Feature feature) {
        return feature.isEverywhere() && !IN_DEFAULT_ALONE.contains(feature.name());
    }

    /// All beside each other, as they would be.
    private static void driveAll(Engine engine, Pki pki, Path repository) throws InterruptedException {
        var problems = new ArrayList<String>();
        var door = new Drive.Door(engine.address(), pki.clientTls(pki.admin()));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var drives = new ArrayList<Future<?>>();
            for (var feature : Features.all()) {
                var drive = new Drive(engine, door, InstantSource.system(), feature.name(), repository);
                drives.add(threads.submit(() -> drive.run(LogicalCluster.DEFAULT)));
                if (worksInOthers(feature)) {
                    drives.add(threads.submit(() -> drive.run(OTHER)));
                }
            }
            for (var drive : drives) {
                try {
                    drive.get();
                } catch (ExecutionException e) {
                    problems.add(String.valueOf(e.getCause()));
                }
            }
        }
        assertThat(problems).isEmpty();
    }

    private static Set<String> worked(List<Entry> entries, String cluster) {
        var names = new TreeSet<String>();
        entries.stream()
                .filter(entry -> entry.cluster.equals(cluster) && entry.code < 300)
                .forEach(entry -> names.add(entry.feature));
        return names;
    }

    private static List<Entry> entries(Path audit) throws IOException {
        var entries = new ArrayList<Entry>();
        try (var files = Files.list(audit)) {
            for (var file : files.toList()) {
                for (var line : Files.readAllLines(file)) {
                    entry(JsonText.parseObject(line)).ifPresent(entries::add);
                }
            }
        }
        return entries;
    }

    private static Optional<Entry> entry(Json.Obj event) {
        var user = event.string("user", "username");
        return user.startsWith(IDENTITY)
                ? Optional.of(new Entry(
                        user.substring(IDENTITY.length()),
                        event.string("annotations", "audit.towtank.dev/logical-cluster"),
                        Integer.parseInt(event.at("responseStatus", "code").display()),
                        event.string("verb") + " " + event.string("requestURI") + ": "
                                + event.string("responseStatus", "message")))
                : Optional.empty();
    }
}
