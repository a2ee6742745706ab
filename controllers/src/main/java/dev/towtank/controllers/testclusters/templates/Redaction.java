package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Takes the values of Secrets out of texts, in plain and in base64, whole and what stands in them.
final class Redaction {

    // Shorter ones are words of every text.
    private static final int SHORTEST = 6;
    private static final int MOST = 20_000;
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9+/=_.-]{12,}");

    private Redaction() {}

    static String of(String text, List<Resource> secrets) {
        var hidden = secrets.stream()
                .flatMap(secret -> secret.json().stringMap("data").values().stream())
                .flatMap(Redaction::forms)
                .map(String::strip)
                .filter(each -> each.length() >= SHORTEST)
                .distinct()
                .limit(MOST)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        var result = text;
        for (var each : hidden) {
            result = result.replace(each, "***");
        }
        return result;
    }

    /// A password rather than a word.
    private static boolean isRandom(String part) {
        return part.chars().anyMatch(c -> Character.isDigit(c) || Character.isUpperCase(c));
    }

    private static Stream<String> forms(String encoded) {
        try {
            var plain = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            var parts = PART.matcher(plain).results().map(MatchResult::group).filter(Redaction::isRandom);
            return Stream.concat(Stream.of(encoded, plain), parts);
        } catch (IllegalArgumentException e) {
            return Stream.of(encoded);
        }
    }
}
