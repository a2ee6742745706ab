package dev.towtank.model.template.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.DSAPrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.DSAPublicKeySpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Locale;

/// Private keys: made, written and read in the forms that Go's libraries have for them.
public final class PrivateKeys {
    private static final String RSA = "1.2.840.113549.1.1.1";
    private static final String ELLIPTIC = "1.2.840.10045.2.1";
    private static final int CONTEXT_0 = 0xA0;
    private static final int CONTEXT_1 = 0xA1;

    private PrivateKeys() {}

    public static KeyPair rsa(int bits, SecureRandom chance) {
        return generate("RSA", generator -> generator.initialize(bits, chance));
    }

    public static KeyPair dsa(SecureRandom chance) {
        return generate("DSA", generator -> generator.initialize(2048, chance));
    }

    public static KeyPair p256(SecureRandom chance) {
        return generate("EC", generator -> generator.initialize(new ECGenParameterSpec("secp256r1"), chance));
    }

    public static KeyPair ed25519(SecureRandom chance) {
        return generate("Ed25519", generator -> generator.initialize(NamedParameterSpec.ED25519, chance));
    }

    @FunctionalInterface
    private interface Preparation {
        void prepare(KeyPairGenerator generator) throws InvalidAlgorithmParameterException;
    }

    private static KeyPair generate(String algorithm, Preparation preparation) {
        try {
            var generator = KeyPairGenerator.getInstance(algorithm);
            preparation.prepare(generator);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK makes keys of " + algorithm, e);
        }
    }

    /// As Go's libraries write it: RSA, EC and DSA each in their older form, others as PKCS#8.
    public static String pem(KeyPair pair) {
        return switch (pair.getPrivate()) {
            case RSAPrivateCrtKey key -> Pem.write("RSA PRIVATE KEY", inner(key));
            case ECPrivateKey key -> Pem.write("EC PRIVATE KEY", elliptic(key, pair.getPublic()));
            case DSAPrivateKey key ->
                Pem.write(
                        "DSA PRIVATE KEY",
                        Der.sequence(
                                Der.integer(0),
                                Der.integer(key.getParams().getP()),
                                Der.integer(key.getParams().getQ()),
                                Der.integer(key.getParams().getG()),
                                Der.integer(dsaPublic(key)),
                                Der.integer(key.getX())));
            default -> Pem.write("PRIVATE KEY", pair.getPrivate().getEncoded());
        };
    }

    /// As PKCS#8, whatever it is.
    public static String pkcs8(KeyPair pair) {
        return Pem.write(
                "PRIVATE KEY",
                pair.getPrivate() instanceof ECPrivateKey key
                        ? wrap(algorithm(pair.getPublic()), ellipticInside(key, pair.getPublic()))
                        : pair.getPrivate().getEncoded());
    }

    /// Reads what [#pem] writes, and PKCS#8.
    public static KeyPair read(String pem) {
        var blocks = Pem.read(pem);
        if (blocks.isEmpty()) {
            throw new CryptoError("no PEM data in input");
        }
        var block = blocks.getFirst();
        try {
            return switch (block.type()) {
                case "PRIVATE KEY" -> fromPkcs8(block.content());
                case "RSA PRIVATE KEY" -> fromPkcs8(wrap(Der.sequence(Der.name(RSA), Der.element(5)), block.content()));
                case "EC PRIVATE KEY" -> fromElliptic(block.content());
                case "DSA PRIVATE KEY" -> fromDsa(block.content());
                default ->
                    throw new CryptoError(
                            block.type().endsWith(" PRIVATE KEY")
                                    ? "invalid private key type " + block.type()
                                    : "no private key data in PEM block of type " + block.type());
            };
        } catch (GeneralSecurityException e) {
            throw new CryptoError("the " + block.type().toLowerCase(Locale.ROOT) + " cannot be read");
        }
    }

    private static KeyPair fromPkcs8(byte[] encoded) throws GeneralSecurityException {
        var parts = Der.readSequence(encoded);
        if (parts.size() < 3) {
            throw Der.malformed();
        }
        var identifier = Der.read(parts.get(1).content()).getFirst();
        for (var algorithm : new String[] {"RSA", "EC", "DSA", "Ed25519"}) {
            if (Arrays.equals(identifier.content(), identifierOf(algorithm))) {
                var key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                return new KeyPair(publicOf(key, parts.get(1), parts.get(2).content()), key);
            }
        }
        throw new CryptoError("the private key is of a kind that is not known");
    }

    private static byte[] identifierOf(String algorithm) {
        var dotted = switch (algorithm) {
            case "RSA" -> RSA;
            case "EC" -> ELLIPTIC;
            case "DSA" -> "1.2.840.10040.4.1";
            default -> "1.3.101.112";
        };
        return Der.read(Der.name(dotted)).getFirst().content();
    }

    private static PublicKey publicOf(PrivateKey key, Der.Element algorithm, byte[] inner)
            throws GeneralSecurityException {
        return switch (key) {
            case RSAPrivateCrtKey rsa ->
                KeyFactory.getInstance("RSA")
                        .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
            case DSAPrivateKey dsa -> {
                var of = dsa.getParams();
                yield KeyFactory.getInstance("DSA")
                        .generatePublic(new DSAPublicKeySpec(dsaPublic(dsa), of.getP(), of.getQ(), of.getG()));
            }
            case EdECPrivateKey edwards ->
                ed25519(new Repeating(edwards.getBytes().orElseThrow())).getPublic();
            default -> ellipticPublic(algorithm, inner);
        };
    }

    private static PublicKey ellipticPublic(Der.Element algorithm, byte[] inner) throws GeneralSecurityException {
        for (var part : Der.readSequence(inner)) {
            if (part.tag() == CONTEXT_1) {
                var encoded = Der.sequence(Der.element(Der.SEQUENCE, algorithm.content()), part.content());
                return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
            }
        }
        throw new CryptoError("the EC private key does not say what its public key is");
    }

    private static KeyPair fromElliptic(byte[] encoded) throws GeneralSecurityException {
        for (var part : Der.readSequence(encoded)) {
            if (part.tag() == CONTEXT_0) {
                return fromPkcs8(wrap(Der.sequence(Der.name(ELLIPTIC), part.content()), encoded));
            }
        }
        throw new CryptoError("the EC private key does not say what its curve is");
    }

    private static KeyPair fromDsa(byte[] encoded) throws GeneralSecurityException {
        var numbers = Der.readSequence(encoded).stream()
                .map(part -> new BigInteger(part.content()))
                .toList();
        if (numbers.size() != 6) {
            throw Der.malformed();
        }
        var parameters =
                Der.sequence(Der.integer(numbers.get(1)), Der.integer(numbers.get(2)), Der.integer(numbers.get(3)));
        var algorithm = Der.sequence(Der.name("1.2.840.10040.4.1"), parameters);
        return fromPkcs8(wrap(algorithm, Der.integer(numbers.get(5))));
    }

    private static byte[] wrap(byte[] algorithm, byte[] inner) {
        return Der.sequence(Der.integer(0), algorithm, Der.octets(inner));
    }

    private static byte[] inner(PrivateKey key) {
        return Der.readSequence(key.getEncoded()).get(2).content();
    }

    private static byte[] algorithm(PublicKey key) {
        return Der.element(
                Der.SEQUENCE, Der.readSequence(key.getEncoded()).getFirst().content());
    }

    private static byte[] elliptic(ECPrivateKey key, PublicKey open) {
        var parts = Der.readSequence(open.getEncoded());
        var curve = Der.read(parts.getFirst().content()).get(1);
        int width = (key.getParams().getOrder().bitLength() + 7) / 8;
        return Der.sequence(
                Der.integer(1),
                Der.octets(fixed(key.getS(), width)),
                Der.element(CONTEXT_0, Der.element(curve.tag(), curve.content())),
                Der.element(CONTEXT_1, Der.element(Der.BITS, parts.get(1).content())));
    }

    /// In PKCS#8 the curve is told around it, and Go does not tell it again.
    private static byte[] ellipticInside(ECPrivateKey key, PublicKey open) {
        var parts = Der.readSequence(open.getEncoded());
        int width = (key.getParams().getOrder().bitLength() + 7) / 8;
        return Der.sequence(
                Der.integer(1),
                Der.octets(fixed(key.getS(), width)),
                Der.element(CONTEXT_1, Der.element(Der.BITS, parts.get(1).content())));
    }

    private static byte[] fixed(BigInteger number, int width) {
        var digits = number.toByteArray();
        var out = new byte[width];
        int count = Math.min(width, digits.length);
        System.arraycopy(digits, digits.length - count, out, width - count, count);
        return out;
    }

    private static BigInteger dsaPublic(DSAPrivateKey key) {
        return key.getParams().getG().modPow(key.getX(), key.getParams().getP());
    }

    /// Says the same bytes each time: a pair that is made of them is the one that a private key belongs to.
    private static final class Repeating extends SecureRandom {
        private static final long serialVersionUID = 1;
        private final transient byte[] seed;

        Repeating(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, Math.min(seed.length, bytes.length));
        }
    }
}
