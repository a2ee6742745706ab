package dev.towtank.model.template.functions;

import java.util.Optional;
import java.util.regex.Pattern;

/// Internet addresses in text, which no name service is asked about.
final class Addresses {
    private static final Pattern FOUR = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    private Addresses() {}

    /// 4 or 16 bytes; empty for what is no address.
    static Optional<byte[]> bytes(String text) {
        return text.contains(":") ? sixteen(text) : four(text);
    }

    private static Optional<byte[]> four(String text) {
        var matcher = FOUR.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            var digits = matcher.group(i + 1);
            int value = Integer.parseInt(digits);
            if (value > 255 || (digits.length() > 1 && digits.startsWith("0"))) {
                return Optional.empty();
            }
            bytes[i] = (byte) value;
        }
        return Optional.of(bytes);
    }

    private static Optional<byte[]> sixteen(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text, 8).filter(bytes -> bytes.length == 16);
        }
        var before = groups(text.substring(0, gap), 7);
        var after = groups(text.substring(gap + 2), 7);
        if (before.isEmpty() || after.isEmpty() || before.get().length + after.get().length > 14) {
            return Optional.empty();
        }
        var bytes = new byte[16];
        System.arraycopy(before.get(), 0, bytes, 0, before.get().length);
        System.arraycopy(after.get(), 0, bytes, 16 - after.get().length, after.get().length);
        return Optional.of(bytes);
    }

    private static Optional<byte[]> groups(String text, int most) {
        if (text.isEmpty()) {
            return Optional.of(new byte[0]);
        }
        var parts = text.split(":", -1);
        var out = new java.io.ByteArrayOutputStream();
        for (int i = 0; i < parts.length; i++) {
            if (i == parts.length - 1 && parts[i].contains(".")) {
                var last = four(parts[i]);
                if (last.isEmpty()) {
                    return Optional.empty();
                }
                out.writeBytes(last.get());
            } else if (parts[i].matches("[0-9a-fA-F]{1,4}")) {
                int group = Integer.parseInt(parts[i], 16);
                out.write(group >> 8);
                out.write(group);
            } else {
                return Optional.empty();
            }
        }
        return out.size() <= most * 2 ? Optional.of(out.toByteArray()) : Optional.empty();
    }
}
