package dev.towtank.node.images.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Archives that no archiver writes.
class HostileLayersTest {

    private static final UnpackLimits SMALL = new UnpackLimits(4 << 20, 500, 0);
    private static final long HUGE = 6L << 30;

    @TempDir
    Path home;

    private Path root;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectory(home.resolve("root"));
    }

    /// An entry of which as much comes as it says.
    private static InputStream entry(byte type, long size, int content, AtomicLong read) throws IOException {
        var entry = new TarArchiveEntry("entry", type, true);
        entry.setSize(size);
        var head = new byte[512];
        entry.writeEntryHeader(head);
        return new SequenceInputStream(new ByteArrayInputStream(head), new Endless(content, read));
    }

    private static final class Endless extends InputStream {
        private final int value;
        private final AtomicLong read;

        Endless(int value, AtomicLong read) {
            this.value = value;
            this.read = read;
        }

        @Override
        public int read() {
            read.incrementAndGet();
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            Arrays.fill(into, offset, offset + length, (byte) value);
            read.addAndGet(length);
            return length;
        }
    }

    /// Whoever reads an archive keeps these in memory, and a packed kilobyte stands for a megabyte.
    @ParameterizedTest
    @ValueSource(
            bytes = {
                TarConstants.LF_GNUTYPE_LONGNAME,
                TarConstants.LF_GNUTYPE_LONGLINK,
                TarConstants.LF_PAX_EXTENDED_HEADER_LC,
                TarConstants.LF_PAX_GLOBAL_EXTENDED_HEADER
            })
    void namesAndAttributesWithoutAnEndAreGivenUpEarly(byte type) {
        var read = new AtomicLong();

        assertThatThrownBy(() -> LayerUnpacking.run(entry(type, HUGE, 'x', read), root, SMALL))
                .isInstanceOf(IOException.class);
        assertThat(read.get()).isLessThan(4 << 20);
    }

    /// What is not unpacked is read all the same.
    @ParameterizedTest
    @ValueSource(bytes = {TarConstants.LF_FIFO, TarConstants.LF_CHR, TarConstants.LF_BLK})
    void whatHoldsNothingButSaysItDoesIsBounded(byte type) {
        var read = new AtomicLong();

        assertThatThrownBy(() -> LayerUnpacking.run(entry(type, HUGE, 0, read), root, SMALL))
                .isInstanceOf(IOException.class);
        assertThat(read.get()).isLessThan(16 << 20);
    }

    @Test
    void namesOfDirectoriesAreKeptWithinABound() {
        var layer = new TestLayer();
        var limits = new UnpackLimits(1 << 20, Long.MAX_VALUE, 0);

        assertThatThrownBy(() -> {
                    var deep = "d".repeat(200) + "/";
                    // The same ones again and again: on the disk they are few.
                    for (int i = 0; i < 600; i++) {
                        layer.directory(deep.repeat(10) + i % 7, 0755);
                    }
                    LayerUnpacking.run(new ByteArrayInputStream(layer.plain()), root, limits);
                })
                .hasMessageContaining("the names of a layer's directories have more than 1 MiB together");
    }

    @Test
    void anArchiveThatIsNoneIsRefusedAsSuch() {
        var noise = new byte[10_240];
        new Random(7).nextBytes(noise);

        assertThatThrownBy(() -> LayerUnpacking.run(new ByteArrayInputStream(noise), root, SMALL))
                .isInstanceOf(IOException.class);
    }

    /// `umoci insert` writes no more than the content of the last file.
    @Test
    void theLastFileMayEndWithItsContent() throws IOException {
        var layer = new TestLayer().file("first", "one").file("last", "two").plain();
        int end = 3 * 512 + "two".length();

        LayerUnpacking.run(new ByteArrayInputStream(layer, 0, end), root, SMALL);

        assertThat(root.resolve("first")).hasContent("one");
        assertThat(root.resolve("last")).hasContent("two");
    }

    @Test
    void aFileWhoseContentIsNotWholeIsRefused() throws IOException {
        var layer = new TestLayer().file("first", "one").file("last", "two").plain();
        int end = 3 * 512 + "tw".length();

        assertThatThrownBy(() -> LayerUnpacking.run(new ByteArrayInputStream(layer, 0, end), root, SMALL))
                .hasMessageContaining("Truncated");
    }
}
