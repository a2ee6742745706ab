package dev.towtank.controllers.git.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.rendering.source.ChartStore;
import dev.towtank.controllers.rendering.source.GitFiles;
import dev.towtank.model.template.crypto.Certificates;
import dev.towtank.model.template.crypto.PrivateKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A site whose certificate nobody knows but those who are told.
class TrustTest {

    @TempDir
    Path temp;

    private String pem;
    private StaticSite site;

    @BeforeEach
    void start() throws Exception {
        var chance = new SecureRandom();
        var keys = PrivateKeys.p256(chance);
        pem = Certificates.issue(
                new Certificates.Subject("site", List.of(new byte[] {127, 0, 0, 1}), List.of(), true),
                keys,
                new Certificates.Signer(null, keys),
                Instant.now().minusSeconds(60),
                Duration.ofHours(1),
                chance);
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("site", keys.getPrivate(), new char[0], new Certificate[] {Certificates.read(pem)});
        Files.writeString(
                Files.createDirectories(temp.resolve("site")).resolve("index.yaml"),
                "apiVersion: v1\nentries: {web: [{version: 1.0.0, urls: [web.tgz]}]}\n");
        Files.createDirectories(temp.resolve("site/git"));
        Files.writeString(temp.resolve("site/git/a.txt"), "a");
        StaticSite.commit(temp.resolve("site/git"));
        site = new StaticSite(temp.resolve("site"), tls(store));
    }

    private static SSLContext tls(KeyStore store) throws GeneralSecurityException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        var tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        return tls;
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private ChartStore charts(UnaryOperator<String> authorities) {
        return new ChartStore(temp.resolve("cache"), _ -> Optional.empty(), authorities);
    }

    private String commit(UnaryOperator<String> authorities) throws IOException {
        return new GitRepositories(InstantSource.system(), _ -> Optional.empty(), authorities)
                .commit(site.address() + "/git/.git", "main");
    }

    @Test
    void chartsComeFromWhoIsTrusted() throws IOException {
        assertThat(charts(host -> host.equals("127.0.0.1") ? pem : "").version(site.address(), "web", ""))
                .isEqualTo("1.0.0");
        assertThatThrownBy(() -> charts(_ -> "").version(site.address(), "web", ""))
                .hasMessageContaining("no safe connection to 127.0.0.1")
                .hasMessageContaining("--ca-file");
    }

    @Test
    void repositoriesDoAsWell() throws Exception {
        assertThat(commit(host -> host.equals("127.0.0.1") ? pem : "")).matches("[0-9a-f]{40}");
        assertThatThrownBy(() -> commit(_ -> "")).isInstanceOf(IOException.class);
        var clock = InstantSource.system();
        assertThat(new GitFiles(clock, pem).read(site.address() + "/git/.git", "main"))
                .containsOnlyKeys("a.txt");
        assertThatThrownBy(() -> new GitFiles(clock, "").read(site.address() + "/git/.git", "main"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void whatIsNoCertificateIsRefused() {
        assertThatThrownBy(() -> Trust.of("hello")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Trust.of("")).hasMessageContaining("no certificate");
    }
}
