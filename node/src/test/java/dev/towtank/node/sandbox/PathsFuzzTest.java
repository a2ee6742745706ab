package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Containers with any mounts, parts of volumes and working directories, over volumes full of any links. Beside them
/// is
/// a tree of files that none of them may change, or read.
class PathsFuzzTest {

    private static final String SECRET = "the-canary-sings";

    /// What a path may be put together from; `%` stands for the tree.
    private static final List<String> PARTS = List.of(
            "a",
            "b",
            "c",
            "..",
            ".",
            "",
            "oldroot",
            "newroot",
            "oldroot%",
            "%",
            "proc",
            "self",
            "root",
            "fd",
            "dev",
            "etc",
            "hosts",
            "run",
            "var",
            "usr",
            "tmp",
            "x\0y",
            "x\0--bind\0/\0/b",
            "line\nbreak",
            "\u202e",
            "ünï",
            "a b",
            "'\"$(id)",
            "--bind",
            "%/made",
            "l".repeat(300));

    @TempDir
    Path home;

    private Path canary;
    private List<Path> volumes;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        canary = Files.createDirectories(home.resolve("canary/inner")).getParent();
        Files.writeString(canary.resolve("canary"), SECRET);
        volumes = List.of(home.resolve("v0"), home.resolve("v1"), home.resolve("v2"));
        sandbox = Sandboxes.bubblewrap(Shared.in(home), InstantSource.system());
    }

    @AfterEach
    void close() throws IOException {
        sandbox.close();
        Shared.leave(home);
    }

    @Test
    void noContainerComesToTheCanary() throws Exception {
        fuzz(1, 120);
    }

    @Tag("deep")
    @Test
    void noContainerEverComesToTheCanary() throws Exception {
        fuzz(System.nanoTime(), 5_000);
    }

    private void fuzz(long seed, int rounds) throws Exception {
        var random = new Random(seed);
        var before = tree();
        int started = 0;
        for (int i = 0; i < rounds; i++) {
            var recipe = recipe(random, i);
            try {
                var process = sandbox.start(recipe.spec());
                var exit = process.await();
                started += exit instanceof Exit.Ended ? 1 : 0;
                assertThat(Logs.all(process)).as("round %d of seed %d", i, seed).doesNotContain(SECRET);
            } catch (IOException e) {
                assertThat(e.getMessage()).as("round %d of seed %d", i, seed).isNotBlank();
            }
            assertThat(tree()).as("round %d of seed %d", i, seed).isEqualTo(before);
            sandbox.remove("r" + i, recipe.spec().directory());
        }
        assertThat(started)
                .as("of seed %d enough must start to mean something", seed)
                .isGreaterThan(rounds / 10);
    }

    private Recipe recipe(Random random, int round) throws IOException {
        for (var volume : volumes) {
            FileTree.delete(volume);
            Files.createDirectory(volume);
            for (int i = random.nextInt(4); i > 0; i--) {
                plant(volume, random);
            }
        }
        var recipe = new Recipe("r" + round, home)
                .script("cat /*/canary /*/*/canary /*/*/*/canary .//canary 2>/dev/null; rm -rf ./canary; exit 0");
        for (int i = random.nextInt(4); i > 0; i--) {
            var inside = random.nextInt(3) == 0 ? path(random).replaceFirst("^/+", "") : "";
            recipe.mount(volumes.get(random.nextInt(3)), inside, path(random), random.nextInt(4) == 0);
        }
        return random.nextBoolean() ? recipe.workingDirectory(path(random)) : recipe;
    }

    private void plant(Path volume, Random random) throws IOException {
        var name = List.of("a", "b", "c", "made").get(random.nextInt(4));
        var target = path(random).replace("\0", "");
        try {
            switch (random.nextInt(4)) {
                case 0 -> Files.createDirectory(volume.resolve(name));
                case 1 -> Files.createFile(volume.resolve(name));
                default -> Files.createSymbolicLink(volume.resolve(name), Path.of(target));
            }
        } catch (FileSystemException e) {
            // another one was planted there, or such a link cannot be
        }
    }

    private String path(Random random) {
        var path = new StringBuilder();
        boolean usual = random.nextInt(3) > 0;
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            var part = PARTS.get(random.nextInt(usual ? 3 : PARTS.size()));
            path.append('/').append(part.replace("%", canary.toString()));
        }
        return random.nextInt(20) == 0 ? path.substring(1) : path.toString();
    }

    private Map<String, String> tree() throws IOException {
        var found = new TreeMap<String, String>();
        try (var files = Files.walk(canary)) {
            for (var file : files.toList()) {
                var changed = Files.getLastModifiedTime(file);
                found.put(file.toString(), Files.isDirectory(file) ? changed.toString() : Files.readString(file));
            }
        }
        return found;
    }
}
