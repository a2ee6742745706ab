package dev.towtank.apiserver.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    @TempDir
    Path data;

    @Test
    void embedsAllThatAClientNeeds() throws Exception {
        var pki = Pki.open(data.resolve("pki"), InstantSource.system(), List.of());
        var file = data.resolve("kubeconfig");
        Files.writeString(file, "an old one, readable by all");

        Kubeconfig.write(file, URI.create("https://127.0.0.1:6443"), pki);

        var text = Files.readString(file);
        assertThat(text).contains("server: https://127.0.0.1:6443\n").contains("current-context: towtank\n");
        assertThat(embedded(text, "certificate-authority-data")).isEqualTo(pki.authorityPem());
        assertThat(text).contains("    token: " + pki.adminToken() + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    private static String embedded(String text, String field) {
        var matcher = Pattern.compile(field + ": (\\S+)").matcher(text);
        assertThat(matcher.find()).isTrue();
        return new String(Base64.getDecoder().decode(matcher.group(1)), StandardCharsets.US_ASCII);
    }
}
