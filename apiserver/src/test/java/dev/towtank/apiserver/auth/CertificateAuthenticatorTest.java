package dev.towtank.apiserver.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.auth.Authenticator.Credentials;
import dev.towtank.apiserver.auth.Authenticator.Identity;
import dev.towtank.model.LogicalCluster;
import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

class CertificateAuthenticatorTest {

    private static Optional<Identity> authenticate(String subject) throws Exception {
        var pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        var name = new X500Name(subject);
        var builder = new JcaX509v3CertificateBuilder(
                name, BigInteger.ONE, Date.from(Instant.EPOCH), Date.from(Instant.EPOCH), name, pair.getPublic());
        var holder = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
        var certificate = new JcaX509CertificateConverter().getCertificate(holder);
        return new CertificateAuthenticator().authenticate(new Credentials(List.of(certificate), ""));
    }

    @Test
    void readsTheUserAndItsGroups() throws Exception {
        var identity = authenticate("O=system:masters,O=dev\\, ops,CN=jane").orElseThrow();
        assertThat(identity.user().name()).isEqualTo("jane");
        assertThat(identity.user().groups()).isEqualTo(Set.of("system:masters", "dev, ops", "system:authenticated"));
        assertThat(identity.cluster()).isEmpty();
    }

    @Test
    void takesTheNameClosestToTheHolder() throws Exception {
        assertThat(authenticate("CN=outer,CN=inner").orElseThrow().user().name())
                .isEqualTo("inner");
    }

    @Test
    void limitsACertificateToItsCluster() throws Exception {
        assertThat(authenticate("O=system:masters,OU=towtank.dev:cluster:test-1,CN=admin")
                        .orElseThrow()
                        .cluster())
                .contains(new LogicalCluster("test-1"));
        assertThatThrownBy(() -> authenticate("O=system:masters,OU=towtank.dev:cluster:../x,CN=admin"))
                .hasMessage("Unauthorized");
    }

    @Test
    void recognisesNobodyWithoutAName() throws Exception {
        assertThat(authenticate("O=system:masters")).isEmpty();
        assertThat(new CertificateAuthenticator().authenticate(new Credentials(List.of(), "")))
                .isEmpty();
    }
}
