package dev.towtank.model.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Archives of people who mean no good.
class ChartArchiveTest {

    @Test
    void filesAreFoundByTheirPathInTheFolder() throws IOException {
        var archive = packed(
                entry("web/Chart.yaml", '0', "a"),
                entry("web/templates/", '5', ""),
                entry("././@LongLink", 'L', "web/" + "d".repeat(120) + "/long.yaml\0"),
                entry("cut", '0', "b"),
                entry("pax", 'x', "27 path=web/by-header.yaml\n"),
                entry("cut", '0', "c"));

        assertThat(ChartArchive.unpack(archive))
                .containsOnlyKeys("Chart.yaml", "d".repeat(120) + "/long.yaml", "by-header.yaml");
    }

    @ParameterizedTest
    @CsvSource({
        "web/../../etc/passwd, references parent directory",
        "../web/a, references parent directory",
        "/etc/passwd, outside the base directory",
        "alone, outside the base directory",
        "web//a, outside the base directory",
        "'web\\..\\..\\a', references parent directory",
    })
    void pathsStayInTheFolder(String path, String why) throws IOException {
        assertThatThrownBy(() -> ChartArchive.unpack(packed(entry(path, '0', "a"))))
                .isInstanceOf(HelmError.class)
                .hasMessageContaining(why);
        assertThatThrownBy(() -> ChartArchive.unpack(packed(entry("x", 'L', path + "\0"), entry("web/a", '0', "a"))))
                .hasMessageContaining(why);
        assertThatThrownBy(() -> ChartArchive.unpack(
                        packed(entry("x", 'x', "99 path=" + path + "\n"), entry("web/a", '0', "a"))))
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4", "6"})
    void linksAndDevicesAreRefused(char type) throws IOException {
        assertThatThrownBy(() -> ChartArchive.unpack(packed(entry("web/a", type, ""))))
                .isInstanceOf(HelmError.class)
                .hasMessageContaining("something that is no file: web/a");
    }

    @Test
    void whatGrowsBeyondReasonIsRefused() throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            var zeros = new byte[1 << 20];
            for (int i = 0; i < 101; i++) {
                zip.write(zeros);
            }
        }
        assertThat(out.size()).isLessThan(1 << 20);
        assertThatThrownBy(() -> ChartArchive.unpack(out.toByteArray()))
                .hasMessageContaining("decompressed chart is larger than the maximum size");
    }

    @Test
    void whatIsNoArchiveIsTold() throws IOException {
        var good = packed(entry("web/a", '0', "a".repeat(2000)));

        assertThatThrownBy(() -> ChartArchive.unpack(new byte[] {1, 2, 3})).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> ChartArchive.unpack(Arrays.copyOf(good, good.length / 2)))
                .isInstanceOf(HelmError.class);
        assertThatThrownBy(() -> ChartArchive.unpack(packed())).hasMessageContaining("no files in chart archive");
        var huge = entry("web/a", '0', "a");
        System.arraycopy("77777777777".getBytes(StandardCharsets.US_ASCII), 0, huge, 124, 11);
        assertThatThrownBy(() -> ChartArchive.unpack(packed(huge)))
                .hasMessageContaining("larger than the maximum size");
        Arrays.fill(huge, 124, 136, (byte) 0xFF);
        assertThatThrownBy(() -> ChartArchive.unpack(packed(huge))).hasMessageContaining("no size for web/a");
    }

    private static byte[] packed(byte[]... entries) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            for (var entry : entries) {
                zip.write(entry);
            }
            zip.write(new byte[1024]);
        }
        return out.toByteArray();
    }

    private static byte[] entry(String path, char type, String content) {
        var bytes = content.getBytes(StandardCharsets.UTF_8);
        var entry = new byte[512 + (bytes.length + 511) / 512 * 512];
        put(entry, 0, path);
        put(entry, 124, "%011o".formatted(bytes.length));
        entry[156] = (byte) type;
        put(entry, 257, "ustar");
        System.arraycopy(bytes, 0, entry, 512, bytes.length);
        return entry;
    }

    private static void put(byte[] entry, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, entry, at, bytes.length);
    }
}
