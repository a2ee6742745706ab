package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.Function;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.crypto.CertificateChain;
import dev.towtank.model.template.crypto.Certificates;
import dev.towtank.model.template.crypto.CryptoError;
import dev.towtank.model.template.crypto.JsonWebKey;
import dev.towtank.model.template.crypto.KeyStores;
import dev.towtank.model.template.crypto.Pem;
import dev.towtank.model.template.crypto.PrivateKeys;
import java.security.GeneralSecurityException;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/// What External Secrets adds for keys, certificates and key stores.
final class PemFunctions {
    static final Functions ALL = Functions.builder()
            .add("filterPEM", told(PemFunctions::filter), STRING, STRING)
            .add(
                    "filterCertChain",
                    told(call -> CertificateChain.of(call.string(1)).part(call.string(0))),
                    STRING,
                    STRING)
            .add("certSANs", told(PemFunctions::names), STRING)
            .add("pkcs12key", told(call -> KeyStores.key(GoText.bytes(call.string(0)), "")), STRING)
            .add(
                    "pkcs12keyPass",
                    told(call -> KeyStores.key(GoText.bytes(call.string(1)), call.string(0))),
                    STRING,
                    STRING)
            .add("pkcs12cert", told(call -> KeyStores.certificates(GoText.bytes(call.string(0)), "")), STRING)
            .add(
                    "pkcs12certPass",
                    told(call -> KeyStores.certificates(GoText.bytes(call.string(1)), call.string(0))),
                    STRING,
                    STRING)
            .add("pemToPkcs12", told(call -> store(call, false, "")), STRING, STRING)
            .add("pemToPkcs12Pass", told(call -> store(call, false, call.string(2))), STRING, STRING, STRING)
            .add("fullPemToPkcs12", told(call -> store(call, true, "")), STRING, STRING)
            .add("fullPemToPkcs12Pass", told(call -> store(call, true, call.string(2))), STRING, STRING, STRING)
            .add("pemTruststoreToPKCS12", told(call -> encoded(KeyStores.trusting(call.string(0), ""))), STRING)
            .add(
                    "pemTruststoreToPKCS12Pass",
                    told(call -> encoded(KeyStores.trusting(call.string(0), call.string(1)))),
                    STRING,
                    STRING)
            .add("jwkPublicKeyPem", told(call -> key(call).publicPem()), STRING)
            .add("jwkPrivateKeyPem", told(call -> key(call).privatePem()), STRING)
            .add("rsaDecrypt", told(PemFunctions::decrypt), STRING, STRING, STRING, STRING)
            .build();

    private PemFunctions() {}

    private static Function.Body told(Function.Body body) {
        return call -> {
            call.render().meter().step(10_000);
            try {
                return body.call(call);
            } catch (CryptoError e) {
                throw new FunctionError(e.text());
            }
        };
    }

    private static Object names(Arguments call) {
        if (Pem.read(call.string(0)).isEmpty()) {
            throw new CryptoError("failed to decode PEM block");
        }
        return Conversions.strings(CertificateChain.names(Certificates.read(call.string(0))));
    }

    private static Object filter(Arguments call) {
        var blocks = Pem.read(call.string(1));
        var found = new StringBuilder();
        for (var block : blocks) {
            if (block.type().equalsIgnoreCase(call.string(0))) {
                found.append(Pem.write(block.type(), block.content()));
            }
        }
        if (blocks.isEmpty() && !call.string(1).isEmpty()) {
            throw new FunctionError("error filtering pem: found junk");
        }
        return found.toString();
    }

    private static Object store(Arguments call, boolean withChain, String password) {
        return encoded(KeyStores.holding(call.string(0), call.string(1), withChain, password));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static JsonWebKey key(Arguments call) {
        try {
            if (JsonText.parse(call.string(0)) instanceof Json.Obj object) {
                return new JsonWebKey(object);
            }
        } catch (JsonText.Malformed e) {
            throw JsonWebKey.unusable();
        }
        throw JsonWebKey.unusable();
    }

    private static Object decrypt(Arguments call) {
        if (call.string(0).equals("None")) {
            return call.string(2);
        }
        if (!call.string(0).equals("RSA-OAEP")) {
            throw new FunctionError("decryption scheme " + call.string(0) + " is not supported");
        }
        if (!(PrivateKeys.read(call.string(3)).getPrivate() instanceof RSAPrivateKey key)) {
            throw new FunctionError("could not parse RSA private key");
        }
        var hash = switch (call.string(1)) {
            case "SHA1" -> "SHA-1";
            case "SHA512" -> "SHA-512";
            default -> "SHA-256";
        };
        try {
            var cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    key,
                    new OAEPParameterSpec(hash, "MGF1", new MGF1ParameterSpec(hash), PSource.PSpecified.DEFAULT));
            return GoText.of(cipher.doFinal(GoText.bytes(call.string(2))));
        } catch (GeneralSecurityException e) {
            throw new FunctionError("error decrypting data with RSA: crypto/rsa: decryption error");
        }
    }
}
