package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.INT;
import static dev.towtank.model.template.GoType.LIST;
import static dev.towtank.model.template.GoType.STRING;
import static dev.towtank.model.template.GoType.UINT32;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.Function;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.crypto.Bcrypt;
import dev.towtank.model.template.crypto.Certificates;
import dev.towtank.model.template.crypto.Chance;
import dev.towtank.model.template.crypto.CryptoError;
import dev.towtank.model.template.crypto.Passwords;
import dev.towtank.model.template.crypto.PrivateKeys;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Sprig's keys, certificates and hashes of passwords. Each costs many steps, because each takes long.
final class CryptoFunctions {
    private static final int DEAR = 200_000;
    private static final int VERY_DEAR = 2_000_000;
    private static final int BLOCK = 16;
    private static final int KEY = 32;

    private final Ambient ambient;
    private final SecureRandom chance;

    private CryptoFunctions(Ambient ambient) {
        this.ambient = ambient;
        this.chance = Chance.of(ambient.random());
    }

    static Functions of(Ambient ambient) {
        var crypto = new CryptoFunctions(ambient);
        return Functions.builder()
                .add("bcrypt", dear(DEAR, crypto::bcrypt), STRING)
                .add("htpasswd", dear(DEAR, crypto::htpasswd), STRING, STRING)
                .add("derivePassword", dear(DEAR, CryptoFunctions::derive), UINT32, STRING, STRING, STRING, STRING)
                .add("genPrivateKey", dear(VERY_DEAR, crypto::privateKey), STRING)
                .add("buildCustomCert", dear(1, CryptoFunctions::custom), STRING, STRING)
                .add("genCA", dear(DEAR, call -> crypto.authority(call, crypto.fresh())), STRING, INT)
                .add("genCAWithKey", dear(1, call -> crypto.authority(call, given(call, 2))), STRING, INT, STRING)
                .add(
                        "genSelfSignedCert",
                        dear(DEAR, call -> crypto.selfSigned(call, crypto.fresh())),
                        STRING,
                        LIST,
                        LIST,
                        INT)
                .add(
                        "genSelfSignedCertWithKey",
                        dear(1, call -> crypto.selfSigned(call, given(call, 4))),
                        STRING,
                        LIST,
                        LIST,
                        INT,
                        STRING)
                .add(
                        "genSignedCert",
                        dear(DEAR, call -> crypto.signed(call, crypto.fresh())),
                        STRING,
                        LIST,
                        LIST,
                        INT,
                        CertificateObject.TYPE)
                .add(
                        "genSignedCertWithKey",
                        dear(1, call -> crypto.signed(call, given(call, 5))),
                        STRING,
                        LIST,
                        LIST,
                        INT,
                        CertificateObject.TYPE,
                        STRING)
                .add("encryptAES", crypto::encrypt, STRING, STRING)
                .add("decryptAES", CryptoFunctions::decrypt, STRING, STRING)
                .build();
    }

    private static Function.Body dear(int steps, Function.Body body) {
        return call -> {
            call.render().meter().step(steps);
            try {
                return body.call(call);
            } catch (CryptoError e) {
                throw new FunctionError(e.text());
            }
        };
    }

    private String bcrypt(Arguments call) {
        return bcrypt(call.string(0));
    }

    private String bcrypt(String password) {
        var salt = new byte[BLOCK];
        chance.nextBytes(salt);
        try {
            return Bcrypt.hash(GoText.bytes(password), salt, 10);
        } catch (CryptoError e) {
            return "failed to encrypt string with bcrypt: " + e.text();
        }
    }

    /// As External Secrets has them: `htpasswd` is told how to hash.
    static Functions passwords(Ambient ambient) {
        var crypto = new CryptoFunctions(ambient);
        return Functions.builder()
                .add(
                        "htpasswd",
                        dear(DEAR, call -> call.string(2).equals("sha") ? shaPassword(call) : crypto.htpasswd(call)),
                        STRING,
                        STRING,
                        STRING)
                .build();
    }

    private static Object shaPassword(Arguments call) {
        var user = call.string(0);
        return user.contains(":")
                ? "invalid username: " + user
                : user + ":{SHA}" + Base64.getEncoder().encodeToString(sha1().digest(GoText.bytes(call.string(1))));
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object htpasswd(Arguments call) {
        var user = call.string(0);
        if (user.contains(":")) {
            return "invalid username: " + user;
        }
        return user + ":" + bcrypt(call.string(1));
    }

    private static Object derive(Arguments call) {
        var derived = Passwords.derive(call.integer(0), call.string(1), call.string(2), call.string(3), call.string(4));
        return derived == null ? "cannot find password template " + call.string(1) : derived;
    }

    private Object privateKey(Arguments call) {
        return switch (call.string(0)) {
            case "", "rsa" -> PrivateKeys.pem(PrivateKeys.rsa(4096, chance));
            case "dsa" -> PrivateKeys.pem(PrivateKeys.dsa(chance));
            case "ecdsa" -> PrivateKeys.pem(PrivateKeys.p256(chance));
            case "ed25519" -> PrivateKeys.pem(PrivateKeys.ed25519(chance));
            default -> "Unknown type " + call.string(0);
        };
    }

    private static Object custom(Arguments call) {
        var certificate = plain(call.string(0), "unable to decode base64 certificate");
        var key = plain(call.string(1), "unable to decode base64 private key");
        Certificates.read(certificate);
        PrivateKeys.read(key);
        return new CertificateObject(certificate, key);
    }

    private static String plain(String text, String complaint) {
        try {
            return GoText.of(Base64.getDecoder().decode(text.replace("\n", "").replace("\r", "")));
        } catch (IllegalArgumentException e) {
            throw new CryptoError(complaint);
        }
    }

    private KeyPair fresh() {
        return PrivateKeys.rsa(2048, chance);
    }

    private static KeyPair given(Arguments call, int index) {
        try {
            return PrivateKeys.read(call.string(index));
        } catch (CryptoError e) {
            throw new CryptoError("parsing private key: " + e.text());
        }
    }

    private Object authority(Arguments call, KeyPair keys) {
        var subject = new Certificates.Subject(call.string(0), List.of(), List.of(), true);
        return issue(subject, keys, new Certificates.Signer(null, keys), call.integer(1));
    }

    private Object selfSigned(Arguments call, KeyPair keys) {
        return issue(subject(call), keys, new Certificates.Signer(null, keys), call.integer(3));
    }

    private Object signed(Arguments call, KeyPair keys) {
        var authority = (CertificateObject) java.util.Objects.requireNonNull(call.any(4));
        var signer =
                new Certificates.Signer(Certificates.read(authority.certificate()), PrivateKeys.read(authority.key()));
        return issue(subject(call), keys, signer, call.integer(3));
    }

    private Object issue(Certificates.Subject subject, KeyPair keys, Certificates.Signer signer, long days) {
        if (Math.abs(days) > 1_000_000) {
            throw new CryptoError("a certificate cannot be valid for " + days + " days");
        }
        var certificate = Certificates.issue(subject, keys, signer, ambient.now(), Duration.ofDays(days), chance);
        return new CertificateObject(certificate, PrivateKeys.pem(keys));
    }

    private static Certificates.Subject subject(Arguments call) {
        var addresses = new ArrayList<byte[]>();
        for (var each : call.list(1)) {
            addresses.add(Addresses.bytes(text(each, "error parsing ip: "))
                    .orElseThrow(() -> new CryptoError("error parsing ip: " + each)));
        }
        var hosts = call.list(2).stream()
                .map(each -> text(each, "error processing alternate dns name: "))
                .toList();
        return new Certificates.Subject(call.string(0), addresses, hosts, false);
    }

    private static String text(@Nullable Object value, String complaint) {
        if (value instanceof String text) {
            return text;
        }
        throw new CryptoError(complaint + Print.value(value) + " is not a string");
    }

    private Object encrypt(Arguments call) {
        if (call.string(1).isEmpty()) {
            return "";
        }
        var start = new byte[BLOCK];
        chance.nextBytes(start);
        var sealed = cipher(Cipher.ENCRYPT_MODE, call.string(0), start, GoText.bytes(call.string(1)));
        var out = Arrays.copyOf(start, BLOCK + sealed.length);
        System.arraycopy(sealed, 0, out, BLOCK, sealed.length);
        return Base64.getEncoder().encodeToString(out);
    }

    private static Object decrypt(Arguments call) {
        if (call.string(1).isEmpty()) {
            return "";
        }
        var text = call.string(1);
        byte[] sealed;
        try {
            sealed = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new FunctionError(EncodingFunctions.decode64(text));
        }
        if (sealed.length < 2 * BLOCK || sealed.length % BLOCK != 0) {
            throw new FunctionError("crypto/cipher: input not full blocks");
        }
        var start = Arrays.copyOf(sealed, BLOCK);
        return GoText.of(
                cipher(Cipher.DECRYPT_MODE, call.string(0), start, Arrays.copyOfRange(sealed, BLOCK, sealed.length)));
    }

    private static byte[] cipher(int mode, String password, byte[] start, byte[] text) {
        try {
            var cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            var key = Arrays.copyOf(GoText.bytes(password), KEY);
            cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(start));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new FunctionError("the text cannot be decrypted with this password");
        }
    }
}
