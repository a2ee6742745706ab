package dev.towtank.model.template.crypto;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/// The chance that somebody passed in, for the JDK's makers of keys. It is as good as what it is made of.
public final class Chance extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final transient RandomGenerator source;

    private Chance(RandomGenerator source) {
        this.source = source;
    }

    public static SecureRandom of(RandomGenerator source) {
        return source instanceof SecureRandom secure ? secure : new Chance(source);
    }

    @Override
    public void nextBytes(byte[] bytes) {
        source.nextBytes(bytes);
    }
}
