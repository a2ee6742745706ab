package dev.towtank.apiserver.admission;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How much a namespace lets its pods do; each level includes the rules of the ones before.
enum PodSecurityLevel {
    PRIVILEGED,
    BASELINE,
    RESTRICTED;

    static Optional<PodSecurityLevel> parse(String text) {
        return Arrays.stream(values())
                .filter(level -> level.toString().equals(text))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
