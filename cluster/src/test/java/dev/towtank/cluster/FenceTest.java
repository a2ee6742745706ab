package dev.towtank.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FenceTest {

    /// So that a process that never uses a remote cluster never loads it.
    @Test
    void onlyTheRemoteClusterKnowsFabric8() throws IOException, URISyntaxException {
        var classes = Path.of(Cluster.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            var knowing = files.filter(file -> file.toString().endsWith(".class"))
                    .filter(FenceTest::mentionsFabric8)
                    .map(file -> classes.relativize(file).getParent().toString())
                    .distinct();
            assertThat(knowing).containsExactly("dev/towtank/cluster/remote");
        }
    }

    private static boolean mentionsFabric8(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("io/fabric8/");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
