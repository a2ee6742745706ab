package dev.towtank.apiserver.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The keys and certificates in one directory. Its owner must be the only process that uses it.
///
/// Authority and token key are made once, and together: the directory appears only when both are in it.
/// Certificates that the authority has signed are renewed for the same key when they have less than a month to live.
public final class Pki {
    public static final String ADMIN = "towtank-admin";
    public static final String MASTERS = "system:masters";
    private static final int TOKEN_BYTES = 32;

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration LEAF_LIFE = Duration.ofDays(365);
    private static final Duration RENEWED_BEFORE_END = Duration.ofDays(30);

    private final Path directory;
    private final InstantSource clock;
    private final Set<String> serverNames;
    private final boolean checkedBefore;
    private final Credential authority;
    private final KeyPair tokenKeys;
    private final String adminToken;
    private @Nullable Credential serving;
    private @Nullable Credential admin;

    private Pki(Path directory, InstantSource clock, Set<String> serverNames) {
        this.directory = directory;
        this.clock = clock;
        this.serverNames = serverNames;
        this.checkedBefore = Checked.isUnchanged(directory);
        this.authority = readAuthority();
        this.tokenKeys = readTokenKeys();
        this.adminToken = readAdminToken();
    }

    /// How long the process lives that signs service account tokens with these keys, which decides what is quicker.
    public enum Life {
        /// Signatures on P-256 take 0.3 ms, the first one a tenth of a second: it makes a table for all others.
        LONG("secp256r1"),
        /// On P-384 there is no table; the first signature takes a fifth of that time, all others 2 ms.
        SHORT("secp384r1");

        private final String curve;

        Life(String curve) {
            this.curve = curve;
        }
    }

    public static Pki open(Path directory, InstantSource clock, Collection<String> hostNames) {
        return open(directory, clock, hostNames, Life.LONG);
    }

    /// Opens the directory, and makes first what is missing in it.
    ///
    /// @param hostNames names of this machine that the server certificate is good for as well
    /// @throws Unusable when a file is damaged, does not fit the others, or cannot be read or written
    public static Pki open(Path directory, InstantSource clock, Collection<String> hostNames, Life life) {
        try {
            if (Files.notExists(directory)) {
                makeAll(directory, clock, life);
            }
            PrivateFile.makeDirectory(directory);
        } catch (IOException e) {
            throw cannotWrite(directory, e);
        }
        var pki = new Pki(directory, clock, ServerNames.with(hostNames));
        pki.serving();
        pki.admin();
        if (!pki.checkedBefore) {
            Checked.remember(directory);
        }
        return pki;
    }

    /// What everybody trusts who knows this server.
    public X509Certificate authority() {
        return authority.certificate();
    }

    public String authorityPem() {
        return authority.certificatePem();
    }

    /// What the server shows. Ask at every use: a server that runs for a year needs a new one in between.
    public synchronized Credential serving() {
        var current = serving;
        if (current == null || isEnding(current.certificate())) {
            current = leaf(
                    "serving",
                    certificate -> ServerNames.coveredBy(certificate, serverNames),
                    key -> maker().server("towtank", serverNames, key, clock.instant(), LEAF_LIFE));
            serving = current;
        }
        return current;
    }

    /// What the administrator's kubeconfig shows.
    public synchronized Credential admin() {
        var current = admin;
        if (current == null || isEnding(current.certificate())) {
            current = leaf(
                    "admin",
                    _ -> true,
                    key -> maker().client(ADMIN, List.of(MASTERS), key, clock.instant(), LEAF_LIFE));
            admin = current;
        }
        return current;
    }

    /// By which the administrator's kubeconfig proves who it is. Secret.
    ///
    /// A token and not the certificate: every client library takes tokens, several cannot read a key that is
    /// not RSA.
    public String adminToken() {
        return adminToken;
    }

    private String readAdminToken() {
        var file = file("admin.token");
        try {
            if (Files.notExists(file)) {
                var random = new byte[TOKEN_BYTES];
                new SecureRandom().nextBytes(random);
                PrivateFile.write(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
            }
            var token = Files.readString(file).strip();
            if (token.length() < TOKEN_BYTES) {
                throw new Unusable(file + " is damaged: it is too short for a token. Remove it to have a new one made"
                        + " (clients then need the new kubeconfig).");
            }
            return token;
        } catch (IOException e) {
            throw cannotWrite(directory, e);
        }
    }

    /// Signs and verifies service account tokens.
    public KeyPair tokenKeys() {
        return tokenKeys;
    }

    /// Makes a certificate for a client. It is stored nowhere.
    ///
    /// @param name the user
    /// @param organizations the user's groups
    public Credential issueClient(String name, List<String> organizations, Duration validity) {
        var keys = EcKeys.make();
        var certificate = maker().client(name, organizations, keys.getPublic(), clock.instant(), validity);
        return new Credential(certificate, keys.getPrivate());
    }

    /// Makes a certificate for a server of another name in this process. It is stored nowhere.
    public Credential issueServer(List<String> names) {
        var keys = EcKeys.make();
        var certificate = maker().server(names.getFirst(), names, keys.getPublic(), clock.instant(), LEAF_LIFE);
        return new Credential(certificate, keys.getPrivate());
    }

    /// For the server's side of TLS: shows the serving certificate of the moment, trusts clients of our authority.
    public SSLContext serverTls() {
        return Tls.context(authority(), this::serving);
    }

    /// For a client's side of TLS.
    public SSLContext clientTls(Credential client) {
        return Tls.context(authority(), () -> client);
    }

    /// For a client that only needs to know the server; reads nothing but the authority's certificate.
    public static SSLContext anonymousTls(Path directory) {
        return Tls.anonymous(Pem.certificate(directory.resolve("ca.crt")));
    }

    private static void makeAll(Path directory, InstantSource clock, Life life) throws IOException {
        var unfinished = directory.resolveSibling("." + directory.getFileName() + ".new");
        PrivateFile.makeDirectory(unfinished);
        var keys = EcKeys.make();
        var certificate = CertificateMaker.authority(
                "towtank-ca", keys.getPublic(), keys.getPrivate(), clock.instant(), AUTHORITY_LIFE);
        PrivateFile.write(unfinished.resolve("ca.key"), Pem.of(keys.getPrivate()));
        PrivateFile.write(unfinished.resolve("ca.crt"), Pem.of(certificate));
        var tokenKeys = EcKeys.make(life.curve);
        PrivateFile.write(unfinished.resolve("service-account.key"), Pem.of(tokenKeys.getPrivate()));
        PrivateFile.write(unfinished.resolve("service-account.pub"), Pem.of(tokenKeys.getPublic()));
        Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
    }

    private Credential readAuthority() {
        var found = readPair("ca");
        var end = found.certificate().getNotAfter().toInstant();
        if (!clock.instant().isBefore(end)) {
            throw new Unusable(file("ca.crt") + " ran out on " + end + ", so no client can trust this server any more. "
                    + "Remove the directory " + directory + " to have all keys and certificates made anew "
                    + "(clients then need the new kubeconfig).");
        }
        return found;
    }

    private KeyPair readTokenKeys() {
        var privateKey = Pem.privateKey(file("service-account.key"));
        var publicKey = Pem.publicKey(file("service-account.pub"));
        if (!checkedBefore && !EcKeys.belongTogether(privateKey, publicKey)) {
            throw mismatch("service-account.key", "service-account.pub", "are not the two halves of one key");
        }
        return new KeyPair(publicKey, privateKey);
    }

    private Credential leaf(String name, Predicate<X509Certificate> suits, Function<PublicKey, X509Certificate> make) {
        var certificateFile = file(name + ".crt");
        try {
            if (Files.notExists(certificateFile)) {
                var keys = EcKeys.make();
                PrivateFile.write(file(name + ".key"), Pem.of(keys.getPrivate()));
                return new Credential(sign(keys.getPublic(), make, certificateFile), keys.getPrivate());
            }
            var found = readPair(name);
            checkSignature(name, found.certificate());
            return isEnding(found.certificate()) || !suits.test(found.certificate())
                    ? new Credential(
                            sign(found.certificate().getPublicKey(), make, certificateFile), found.privateKey())
                    : found;
        } catch (IOException e) {
            throw cannotWrite(certificateFile, e);
        }
    }

    /// Not needed where all certificates are there; and what it needs takes long to load.
    private CertificateMaker maker() {
        return CertificateMaker.of(authority);
    }

    private X509Certificate sign(PublicKey key, Function<PublicKey, X509Certificate> make, Path file)
            throws IOException {
        var certificate = make.apply(key);
        PrivateFile.write(file, Pem.of(certificate));
        return certificate;
    }

    private Credential readPair(String name) {
        var found = new Credential(Pem.certificate(file(name + ".crt")), Pem.privateKey(file(name + ".key")));
        if (!checkedBefore
                && !EcKeys.belongTogether(
                        found.privateKey(), found.certificate().getPublicKey())) {
            throw mismatch(name + ".key", name + ".crt", "do not belong together");
        }
        return found;
    }

    private void checkSignature(String name, X509Certificate certificate) {
        if (checkedBefore) {
            return;
        }
        try {
            certificate.verify(authority().getPublicKey());
        } catch (GeneralSecurityException e) {
            throw mismatch(name + ".crt", "ca.crt", "do not belong together: the one was not signed by the other");
        }
    }

    private boolean isEnding(X509Certificate certificate) {
        return clock.instant()
                .plus(RENEWED_BEFORE_END)
                .isAfter(certificate.getNotAfter().toInstant());
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private Unusable mismatch(String one, String other, String how) {
        return new Unusable(file(one) + " and " + file(other) + " " + how + ". Put the right files back from a copy, "
                + (one.startsWith("ca.") || one.startsWith("service-account.")
                        ? "or remove the directory " + directory + " to have all keys and certificates made anew "
                                + "(clients then need the new kubeconfig)."
                        : "or remove " + file(one.substring(0, one.indexOf('.')) + ".crt")
                                + " to have both made anew."));
    }

    private static Unusable cannotWrite(Path file, IOException e) {
        return new Unusable("Cannot write keys and certificates to " + file + ": " + e, e);
    }

    /// The files are not such that a server could be started with them; the message says which and what to do.
    public static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }

        Unusable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
