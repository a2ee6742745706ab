package dev.towtank.node.images.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.images.store.FileOwners.Owner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOwnersTest {

    @TempDir
    Path directory;

    private Optional<List<Owner>> of(TestLayer... layers) throws IOException {
        var store = ImageStore.open(directory.resolve("images"), UnpackLimits.USUAL);
        var image = TestImage.of("{}", layers).in(store, "docker.io/test:1");
        return new LayeredFiles(image.root(), image.layers()).owners();
    }

    @Test
    void whatIsNotRootsIsNotedDownWithItsSize() throws IOException {
        var owners = of(new TestLayer()
                .owned("app/", 1234, 77)
                .owned("app/mine", 1234, 77, new byte[3])
                .file("roots", "x"));

        assertThat(owners.orElseThrow())
                .containsExactly(new Owner("app", 1234, 77, 0), new Owner("app/mine", 1234, 77, 3));
    }

    @Test
    void whatLiesOverItCounts() throws IOException {
        var owners = of(
                new TestLayer()
                        .owned("a", 1, 0)
                        .owned("b", 1, 0)
                        .owned("c", 1, 0)
                        .owned("d", 0, 1),
                new TestLayer().owned("a", 2, 0).file("b", "root's").file(".wh.c", ""));

        assertThat(owners.orElseThrow()).containsExactlyInAnyOrder(new Owner("a", 2, 0, 0), new Owner("d", 0, 1, 0));
    }

    @Test
    void thereIsABoundToWhatIsCopiedForEachContainer() throws IOException {
        var half = new byte[(int) (FileOwners.MOST_BYTES / 2)];

        assertThat(of(new TestLayer().owned("a", 1, 1, half).owned("b", 1, 1, half)))
                .isPresent();
        assertThat(of(new TestLayer()
                        .owned("a", 1, 1, half)
                        .owned("b", 1, 1, half)
                        .owned("c", 1, 1, new byte[1])))
                .isEmpty();
    }

    @Test
    void thereIsABoundToHowManyThereAre() throws IOException {
        assertThat(of(many(FileOwners.MOST)).map(List::size)).contains(FileOwners.MOST);
        assertThat(of(many(FileOwners.MOST + 1))).isEmpty();
        assertThat(of(many(FileOwners.MOST), new TestLayer().owned("one-more", 1, 1)))
                .isEmpty();
    }

    private static TestLayer many(int count) throws IOException {
        var layer = new TestLayer();
        for (int i = 0; i < count; i++) {
            layer.owned("f" + i, 1, 1);
        }
        return layer;
    }

    @Test
    void numbersThatNobodyHasAreRoots() throws IOException {
        var layer = new TestLayer();
        for (int id : List.of(65_535, 65_536, 2_000_000)) {
            layer.owned("user" + id, id, 0).owned("group" + id, 0, id);
        }

        assertThat(of(layer).orElseThrow()).extracting(Owner::path).containsExactly("user65535", "group65535");
    }
}
