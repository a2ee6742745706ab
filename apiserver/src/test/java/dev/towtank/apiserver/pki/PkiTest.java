package dev.towtank.apiserver.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PkiTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private Instant now = START;
    private final InstantSource clock = () -> now;
    private Path directory;

    @BeforeEach
    void chooseDirectory(@TempDir Path data) {
        directory = data.resolve("pki");
    }

    private Pki open(String... hostNames) {
        return Pki.open(directory, clock, List.of(hostNames));
    }

    @Test
    void makesAnAuthorityForTenYears() throws Exception {
        var authority = open().authority();

        authority.verify(authority.getPublicKey());
        assertThat(authority.getSubjectX500Principal().getName()).isEqualTo("CN=towtank-ca");
        assertThat(authority.getBasicConstraints()).isNotNegative();
        assertThat(authority.getNotAfter().toInstant()).isEqualTo(START.plus(Duration.ofDays(3650)));
        assertThat(((ECPublicKey) authority.getPublicKey())
                        .getParams()
                        .getOrder()
                        .bitLength())
                .isEqualTo(256);
    }

    @Test
    void servesUnderEveryNameOfTheMachineAndOfKubernetes() throws Exception {
        var pki = open("Build-Box", "192.0.2.7", "not_a_name");

        var serving = pki.serving().certificate();
        serving.verify(pki.authority().getPublicKey());
        assertThat(alternatives(serving))
                .containsExactlyInAnyOrder(
                        "localhost",
                        "127.0.0.1",
                        "0:0:0:0:0:0:0:1",
                        "kubernetes",
                        "kubernetes.default",
                        "kubernetes.default.svc",
                        "kubernetes.default.svc.cluster.local",
                        "build-box",
                        "192.0.2.7");
        assertThat(serving.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(serving.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void theAdministratorIsInTheMastersGroup() throws Exception {
        var pki = open();

        var admin = pki.admin().certificate();
        admin.verify(pki.authority().getPublicKey());
        assertThat(admin.getSubjectX500Principal().getName()).isEqualTo("CN=towtank-admin,O=system:masters");
        assertThat(admin.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    }

    @Test
    void issuesClientsWithAnyGroups() throws Exception {
        var pki = open();

        var node = pki.issueClient("system:node:one", List.of("system:nodes", "a, \"b\"+c"), Duration.ofHours(1));

        node.certificate().verify(pki.authority().getPublicKey());
        assertThat(EcKeys.belongTogether(node.privateKey(), node.certificate().getPublicKey()))
                .isTrue();
        assertThat(node.certificate().getSubjectX500Principal().getName())
                .isEqualTo("CN=system:node:one,O=a\\, \\\"b\\\"\\+c,O=system:nodes");
        assertThat(node.certificate().getNotAfter().toInstant()).isEqualTo(START.plus(Duration.ofHours(1)));
    }

    @Test
    void everyCertificateHasItsOwnSerialNumber() {
        var pki = open();

        var serials = List.of(
                pki.authority().getSerialNumber(),
                pki.serving().certificate().getSerialNumber(),
                pki.admin().certificate().getSerialNumber());

        assertThat(serials).doesNotHaveDuplicates().allMatch(serial -> serial.signum() > 0);
    }

    @Test
    void openingAgainChangesNothing() throws IOException {
        open("box");
        var before = files();

        open("box");

        assertThat(files()).isEqualTo(before);
        assertThat(before.keySet())
                .containsExactly(
                        "admin.crt",
                        "admin.key",
                        "admin.token",
                        "ca.crt",
                        "ca.key",
                        "checked",
                        "service-account.key",
                        "service-account.pub",
                        "serving.crt",
                        "serving.key");
    }

    @Test
    void onlyTheOwnerMayReadTheFiles() throws IOException {
        open();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        open();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        try (var files = Files.list(directory)) {
            assertThat(files)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void aStartThatDiedHalfWayIsStartedOver() throws IOException {
        Files.createDirectory(directory.resolveSibling(".pki.new"));
        Files.writeString(directory.resolveSibling(".pki.new").resolve("ca.key"), "half a k");

        open();

        assertThat(directory.resolveSibling(".pki.new")).doesNotExist();
        open();
    }

    @Test
    void renewsLeavesForTheSameKeyInTheirLastMonth() throws IOException {
        open();
        var before = files();

        now = START.plus(Duration.ofDays(365 - 30));
        open();
        assertThat(files()).isEqualTo(before);

        now = now.plusSeconds(1);
        var renewed = open();
        var after = files();
        assertThat(after).containsEntry("ca.crt", before.get("ca.crt"));
        assertThat(after).containsEntry("serving.key", before.get("serving.key"));
        assertThat(after.get("serving.crt")).isNotEqualTo(before.get("serving.crt"));
        assertThat(after.get("admin.crt")).isNotEqualTo(before.get("admin.crt"));
        assertThat(renewed.serving().certificate().getNotAfter().toInstant()).isEqualTo(now.plus(Duration.ofDays(365)));
    }

    @Test
    void aServerThatRunsForAYearRenewsWithoutARestart() {
        var pki = open();
        var first = pki.serving();
        assertThat(pki.serving()).isSameAs(first);

        now = START.plus(Duration.ofDays(360));

        assertThat(pki.serving().certificate()).isNotEqualTo(first.certificate());
        assertThat(pki.serving().certificate().getPublicKey())
                .isEqualTo(first.certificate().getPublicKey());
    }

    @Test
    void aNewHostNameGetsANewServingCertificate() throws Exception {
        var before = open("old-name").admin().certificate();

        var pki = open("new-name");

        assertThat(alternatives(pki.serving().certificate()))
                .contains("new-name")
                .doesNotContain("old-name");
        assertThat(pki.admin().certificate()).isEqualTo(before);
    }

    @Test
    void anAuthorityThatRanOutIsNamed() {
        open();
        now = START.plus(Duration.ofDays(3650));

        assertThatThrownBy(this::open)
                .isInstanceOf(Pki.Unusable.class)
                .hasMessageContaining("ca.crt ran out on 2036-")
                .hasMessageContaining("Remove the directory " + directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ca.crt", "ca.key", "serving.crt", "serving.key", "admin.key", "service-account.pub"})
    void aDamagedFileIsNamedAndItsContentIsNot(String name) throws IOException {
        open();
        var text = Files.readString(directory.resolve(name));
        Files.writeString(directory.resolve(name), text.substring(0, 60) + "!!" + text.substring(90));

        assertThatThrownBy(this::open)
                .isInstanceOf(Pki.Unusable.class)
                .hasMessageContaining(directory.resolve(name) + " is damaged")
                .hasMessageContaining("remove the directory")
                .hasMessageNotContaining(text.substring(30, 60));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ca.key", "ca.crt", "serving.key", "service-account.key"})
    void aMissingFileIsNamed(String name) throws IOException {
        open();
        Files.delete(directory.resolve(name));

        assertThatThrownBy(this::open)
                .isInstanceOf(Pki.Unusable.class)
                .hasMessageContaining(directory.resolve(name).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "ca.key, admin.key, ca.key and",
        "ca.crt, serving.crt, ca.key and",
        "serving.key, admin.key, serving.key and",
        "service-account.key, admin.key, service-account.key and"
    })
    void filesThatDoNotBelongTogetherAreNamed(String replaced, String by, String named) throws IOException {
        open();
        Files.writeString(directory.resolve(replaced), Files.readString(directory.resolve(by)));

        assertThatThrownBy(this::open)
                .isInstanceOf(Pki.Unusable.class)
                .hasMessageContaining(named)
                .hasMessageContaining("Put the right files back");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsNamed(@TempDir Path other) throws IOException {
        open();
        Pki.open(other.resolve("pki"), clock, List.of());
        for (var name : List.of("serving.crt", "serving.key")) {
            Files.writeString(
                    directory.resolve(name),
                    Files.readString(other.resolve("pki").resolve(name)));
        }

        assertThatThrownBy(this::open)
                .isInstanceOf(Pki.Unusable.class)
                .hasMessageContaining("serving.crt and " + directory.resolve("ca.crt") + " do not belong together")
                .hasMessageContaining("remove " + directory.resolve("serving.crt"));

        Files.delete(directory.resolve("serving.crt"));
        open();
    }

    @Test
    void noSecretIsInTheTextOfACredential() {
        var admin = open().admin();

        assertThat(admin).hasToString("Credential[CN=towtank-admin, O=system:masters]");
        assertThat(admin.privateKeyPem()).startsWith("-----BEGIN PRIVATE KEY-----\n");
    }

    private static List<String> alternatives(X509Certificate certificate) throws Exception {
        return certificate.getSubjectAlternativeNames().stream()
                .map(each -> String.valueOf(each.get(1)))
                .toList();
    }

    private Map<String, String> files() throws IOException {
        var found = new TreeMap<String, String>();
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                found.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return found;
    }
}
