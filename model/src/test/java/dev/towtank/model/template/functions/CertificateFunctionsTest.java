package dev.towtank.model.template.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.template.Bounds;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoTemplate;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.TemplateError;
import dev.towtank.model.template.TemplateSettings;
import dev.towtank.model.template.TemplateSettings.MissingKey;
import dev.towtank.model.template.crypto.CertificateChain;
import dev.towtank.model.template.crypto.Certificates;
import dev.towtank.model.template.crypto.PrivateKeys;
import java.security.Signature;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What templates make is read by the JDK, which did not make it.
class CertificateFunctionsTest {
    private static final Instant NOW = Instant.parse("2024-05-06T07:08:09Z");

    @Test
    void authoritiesSignCertificates() throws Exception {
        var text = render("{{$ca := genCA \"my-ca\" 365}}{{$c := genSignedCert \"web\" (list \"10.0.0.1\" \"::1\")"
                + " (list \"a.example\" \"b.example\") 30 $ca}}{{$ca.Cert}}|{{$c.Cert}}|{{$c.Key}}");
        var parts = text.split("\\|", -1);
        var authority = Certificates.read(parts[0]);
        var certificate = Certificates.read(parts[1]);
        certificate.verify(authority.getPublicKey());
        authority.verify(authority.getPublicKey());
        assertThat(authority.getBasicConstraints()).isPositive();
        assertThat(certificate.getBasicConstraints()).isNegative();
        assertThat(authority.getKeyUsage()).startsWith(true, false, true, false, false, true);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        assertThat(certificate.getIssuerX500Principal()).isEqualTo(authority.getSubjectX500Principal());
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(NOW);
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(Instant.parse("2024-06-05T07:08:09Z"));
        assertThat(CertificateChain.names(certificate))
                .containsExactly("a.example", "b.example", "10.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(Certificates.authorityKey(certificate)).isEqualTo(Certificates.subjectKey(authority));
        assertThat(PrivateKeys.read(parts[2]).getPublic()).isEqualTo(certificate.getPublicKey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ecdsa", "ed25519"})
    void keysThatAreGivenAreUsed(String kind) throws Exception {
        var text = render(
                "{{$k := genPrivateKey \"" + kind + "\"}}{{$c := genSelfSignedCertWithKey \"web\" nil nil 40000"
                        + " $k}}{{$k}}|{{$c.Key}}|{{$c.Cert}}|{{(buildCustomCert ($c.Cert | b64enc) ($c.Key | b64enc)).Cert}}");
        var parts = text.split("\\|", -1);
        assertThat(parts[1]).isEqualTo(parts[0]);
        assertThat(parts[3]).isEqualTo(parts[2]);
        var certificate = Certificates.read(parts[2]);
        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getNotAfter().toInstant()).isAfter(Instant.parse("2130-01-01T00:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa", "dsa", "ecdsa", "ed25519"})
    void keysCanBeReadAgain(String kind) throws Exception {
        var pair = PrivateKeys.read(render("{{genPrivateKey \"" + kind + "\"}}"));
        var algorithm = switch (kind) {
            case "rsa" -> "SHA256withRSA";
            case "dsa" -> "SHA256withDSA";
            case "ecdsa" -> "SHA256withECDSA";
            default -> "Ed25519";
        };
        var signature = Signature.getInstance(algorithm);
        signature.initSign(pair.getPrivate());
        signature.update(new byte[] {1, 2, 3});
        var signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(new byte[] {1, 2, 3});
        assertThat(signature.verify(signed)).isTrue();
    }

    @Test
    void dsaSignsNoCertificates() {
        assertThatThrownBy(() -> render("{{genCAWithKey \"ca\" 1 (genPrivateKey \"dsa\")}}"))
                .hasMessageContaining("only RSA, ECDSA and Ed25519 keys supported");
    }

    @Test
    void keysCostSteps() {
        var functions = HelmFunctions.chart(ambient());
        var template = GoTemplate.parse("t", "{{range until 1000}}{{genCA \"x\" 1}}{{end}}", functions);
        var settings = new TemplateSettings(functions, MissingKey.ZERO, new Meter(new Bounds(1_000_000, 1 << 20, 100)));
        assertThatThrownBy(() -> template.execute(null, settings))
                .isInstanceOf(TemplateError.class)
                .hasMessageContaining("more than 1000000 steps");
    }

    @Test
    void keyStoresAreWrittenAndRead() {
        var made = render("{{$ca := genCA \"ca\" 9}}{{$c := genSignedCert \"leaf\" nil (list \"x\") 9 $ca}}"
                + "{{$c.Cert}}{{$ca.Cert}}|{{$c.Key}}");
        var certificates = made.split("\\|", -1)[0];
        var key = made.split("\\|", -1)[1];
        var data = new TreeMap<String, Object>(Map.of("certificates", certificates, "key", key));
        assertThat(secrets("{{fullPemToPkcs12Pass .certificates .key \"pw\" | b64dec | pkcs12certPass \"pw\"}}", data))
                .isEqualTo(certificates);
        var again = secrets("{{pemToPkcs12 .certificates .key | b64dec | pkcs12key}}", data);
        assertThat(PrivateKeys.read(again).getPrivate())
                .isEqualTo(PrivateKeys.read(key).getPrivate());
        assertThat(secrets("{{pemTruststoreToPKCS12Pass .certificates \"pw\" | b64dec | len | lt 100}}", data))
                .isEqualTo("true");
        assertThat(secrets("{{filterPEM \"CERTIFICATE\" (print .key .certificates)}}", data))
                .isEqualTo(certificates);
        assertThat(secrets(
                        "{{filterCertChain \"leaf\" .certificates}}{{filterCertChain \"root\" .certificates}}", data))
                .isEqualTo(certificates);
        assertThat(secrets("{{filterCertChain \"intermediate\" .certificates}}{{certSANs .certificates}}", data))
                .isEqualTo("[x]");
        assertThatThrownBy(() -> secrets("{{\"nothing\" | pkcs12keyPass \"geheim\"}}", data))
                .hasMessageContaining("unable to decode pkcs12")
                .message()
                .doesNotContain("geheim: ");
        assertThatThrownBy(() -> secrets("{{filterPEM \"CERTIFICATE\" \"junk\"}}", data))
                .hasMessageContaining("found junk");
    }

    @Test
    void webKeysBecomePem() {
        var key = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                + "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\",\"d\":\"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI\"}";
        var data = new TreeMap<String, Object>(Map.of("jwk", key));
        var text = secrets("{{jwkPrivateKeyPem .jwk}}|{{jwkPublicKeyPem .jwk}}", data)
                .split("\\|", -1);
        var pair = PrivateKeys.read(text[0]);
        assertThat(Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(pair.getPublic().getEncoded()))
                .isEqualTo(text[1].replaceAll("-----[A-Z ]+-----\n", "").strip());
        assertThatThrownBy(() -> secrets("{{jwkPublicKeyPem \"{}\"}}", data)).hasMessageContaining("invalid key type");
    }

    @Test
    void decryptsWhatOthersEncryptedForAKey() throws Exception {
        var pair = PrivateKeys.rsa(2048, new java.security.SecureRandom());
        var cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
        cipher.init(Cipher.ENCRYPT_MODE, pair.getPublic());
        var data = new TreeMap<String, Object>(
                Map.of("in", GoText.of(cipher.doFinal(new byte[] {'h', 'i'})), "key", PrivateKeys.pem(pair)));
        assertThat(secrets("{{rsaDecrypt \"RSA-OAEP\" \"SHA1\" .in .key}}", data))
                .isEqualTo("hi");
        assertThatThrownBy(() -> secrets("{{rsaDecrypt \"RSA-OAEP\" \"SHA256\" .in .key}}", data))
                .hasMessageContaining("decryption error");
        assertThatThrownBy(() -> secrets("{{rsaDecrypt \"ROT13\" \"\" .in .key}}", data))
                .hasMessageContaining("decryption scheme ROT13 is not supported");
    }

    @Test
    void theSameChanceMakesTheSameKeys() {
        for (var template : List.of("{{genPrivateKey \"ed25519\"}}", "{{bcrypt \"x\"}}")) {
            assertThat(render(template)).isEqualTo(render(template));
        }
    }

    private static Ambient ambient() {
        return new Ambient(NOW, ZoneOffset.UTC, new Random(7));
    }

    private static String render(String template) {
        return run(template, HelmFunctions.chart(ambient()), new TreeMap<>());
    }

    private static String secrets(String template, Map<String, Object> data) {
        return run(template, ExternalSecretsFunctions.functions(ambient()), data);
    }

    private static String run(String template, Functions functions, Map<String, Object> data) {
        return GoTemplate.parse("t", template, functions)
                .execute(data, TemplateSettings.of(functions, MissingKey.ERROR));
    }
}
