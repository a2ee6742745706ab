package dev.towtank.node.images.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The files were packed by zstd 1.5.4.
class ZstdInputStreamTest {

    private static byte[] file(String name) throws IOException {
        try (var in = ZstdInputStreamTest.class.getResourceAsStream(name + ".zst")) {
            return in.readAllBytes();
        }
    }

    private static InputStream unpacking(byte[] packed) {
        return new ZstdInputStream(new ByteArrayInputStream(packed));
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    /// What was packed.
    private static String words(int seed, int count) {
        var text = new StringBuilder();
        long state = seed;
        for (int i = 0; i < count; i++) {
            state = (state * 1103515245 + 12345) & 0x7fffffff;
            text.append('w').append((state >> 16) % ((i % 97) + 3)).append(i % 11 == 0 ? '\n' : ' ');
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({"small, 4, 5", "fast, 1, 8000", "usual, 2, 40000", "best, 3, 40000"})
    void unpacksWhatOthersPacked(String name, int seed, int count) throws IOException {
        var unpacked = unpacking(file(name)).readAllBytes();

        assertThat(new String(unpacked, StandardCharsets.UTF_8)).isEqualTo(words(seed, count));
    }

    @Test
    void oneFrameFollowsAnotherAndSomeAreSkipped() throws IOException {
        var small = file("small");
        var skipped = hex("502a4d18 03000000 ffffff");
        var all = Arrays.copyOf(small, 2 * small.length + skipped.length);
        System.arraycopy(skipped, 0, all, small.length, skipped.length);
        System.arraycopy(small, 0, all, small.length + skipped.length, small.length);

        assertThat(new String(unpacking(all).readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(words(4, 5) + words(4, 5));
        assertThat(unpacking(new byte[0]).readAllBytes()).isEmpty();
    }

    @Test
    void aRunOfOneByteIsShort() throws IOException {
        // One frame with a window of a megabyte; a block of 100,000 times the letter a.
        assertThat(unpacking(hex("28b52ffd 00 50 03350c 61")).readAllBytes())
                .hasSize(100_000)
                .containsOnly((byte) 'a');
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000", // no frame
                "28b52ffd 00 ff 010000", // a window of terabytes
                "28b52ffd e0 ffffffffffffff7f 010000", // a content of exabytes in one segment
                "28b52ffd 00 50 07000000", // a block of no type
                "28b52ffd 00 50 050000", // a packed block of nothing
                "28b52ffd 01 50 07 010000", // a dictionary
                "28b52ffd 08 50 010000", // a reserved bit
                "28b52ffd 00 50 fbffff 61", // a run that is longer than blocks are
                "28b52ffd 00 50 1d0000 03 01 00", // treeless, before there was a tree
            })
    void whatIsWrongIsRefused(String data) {
        assertThatThrownBy(() -> unpacking(hex(data)).readAllBytes()).isInstanceOf(IOException.class);
    }

    @Test
    void damageEndsInAnErrorAndNowhereElse() throws IOException {
        var random = new Random(17);
        var whole = file("fast");
        for (int i = 0; i < 300; i++) {
            var bad = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int k = 0; k < 4 && bad.length > 0; k++) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                unpacking(bad).skip(10 << 20);
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(broken )?zstd data.*");
            }
        }
    }
}
