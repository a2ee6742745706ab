package dev.towtank.model.cel;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A semantic version; build metadata is accepted and means nothing.
record Semver(long major, long minor, long patch, List<String> preRelease) implements Comparable<Semver> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})\\.(\\d{1,18})"
            + "(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*+))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*+)?");
    private static final int LONGEST = 256;

    /// @param normalize takes a leading `v`, missing parts and leading zeros as well
    static Optional<Semver> parse(String text, boolean normalize) {
        var checked = normalize ? normalized(text) : text;
        if (checked.length() > LONGEST) {
            return Optional.empty();
        }
        var matcher = FORM.matcher(checked);
        if (!matcher.matches() || hasPadding(matcher.group(1), matcher.group(2), matcher.group(3))) {
            return Optional.empty();
        }
        var pre = matcher.group(4);
        return Optional.of(new Semver(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                pre == null ? List.of() : List.of(pre.split("\\.", -1))));
    }

    static Semver required(String text, boolean normalize) {
        return parse(text, normalize).orElseThrow(() -> new JsonValues.Missing("invalid semver: " + text));
    }

    private static boolean hasPadding(String... parts) {
        for (var part : parts) {
            if (part.length() > 1 && part.startsWith("0")) {
                return true;
            }
        }
        return false;
    }

    private static String normalized(String text) {
        var plain = text.startsWith("v") ? text.substring(1) : text;
        int end = 0;
        while (end < plain.length() && plain.charAt(end) != '-' && plain.charAt(end) != '+') {
            end++;
        }
        var parts = plain.substring(0, end).split("\\.", -1);
        var numbers = new StringBuilder();
        for (int i = 0; i < Math.max(3, parts.length); i++) {
            var part = i < parts.length ? parts[i].replaceFirst("^0+(?=\\d)", "") : "0";
            numbers.append(i == 0 ? "" : ".").append(part);
        }
        return numbers + plain.substring(end);
    }

    @Override
    public int compareTo(Semver other) {
        int order = Long.compare(major, other.major);
        order = order != 0 ? order : Long.compare(minor, other.minor);
        order = order != 0 ? order : Long.compare(patch, other.patch);
        if (order != 0 || preRelease.equals(other.preRelease)) {
            return order;
        }
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return preRelease.isEmpty() ? 1 : -1;
        }
        for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
            int part = comparePart(preRelease.get(i), other.preRelease.get(i));
            if (part != 0) {
                return part;
            }
        }
        return Integer.compare(preRelease.size(), other.preRelease.size());
    }

    private static int comparePart(String one, String other) {
        boolean first = one.chars().allMatch(Character::isDigit);
        boolean second = other.chars().allMatch(Character::isDigit);
        if (first && second) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        return first != second ? (first ? -1 : 1) : Integer.signum(one.compareTo(other));
    }
}
