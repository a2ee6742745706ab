package dev.towtank.model.crd.schema;

import com.google.re2j.Pattern;
import dev.towtank.model.Durations;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Cidr;
import dev.towtank.model.kinds.IpAddresses;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/// A `format` of a schema: its name as written, and which texts have it. Unknown formats are ignored.
///
/// @param name empty where there is none
public record Format(String name, Predicate<String> texts) {

    static final Format NONE = new Format("", _ -> true);

    private static final int LONGEST = 4096;

    private static final Map<String, Predicate<String>> TEXTS = known();

    /// @param type of the schema; numbers have formats of their own
    public static Format of(String name, String type) {
        return switch (type) {
            case "", "string" -> {
                var check = TEXTS.get(name.replace("-", ""));
                yield check == null ? NONE : new Format(name, check);
            }
            case "integer" -> name.equals("int32") || name.equals("int64") ? new Format(name, _ -> true) : NONE;
            case "number" -> name.equals("float") || name.equals("double") ? new Format(name, _ -> true) : NONE;
            default -> NONE;
        };
    }

    public boolean isNone() {
        return name.isEmpty();
    }

    private static Map<String, Predicate<String>> known() {
        var texts = new HashMap<String, Predicate<String>>();
        texts.put("bsonobjectid", matches("^[0-9a-fA-F]{24}$"));
        texts.put("uri", Format::isUri);
        texts.put("email", matches("^[^@\\s<>]+@[^@\\s<>]+$"));
        texts.put("hostname", Format::isHostname);
        texts.put("ipv4", IpAddresses::isIpv4);
        texts.put("ipv6", text -> text.contains(":") && IpAddresses.isIpv6(text));
        texts.put("cidr", text -> Cidr.parse(text).isPresent());
        texts.put("mac", matches("^([0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5,7}|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){2,3})$"));
        texts.put("uuid", uuid("[0-9a-f]{4}", "[0-9a-f]{4}"));
        texts.put("uuid3", uuid("3[0-9a-f]{3}", "[0-9a-f]{4}"));
        texts.put("uuid4", uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"));
        texts.put("uuid5", uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"));
        texts.put("isbn", text -> BookNumbers.isTen(text) || BookNumbers.isThirteen(text));
        texts.put("isbn10", BookNumbers::isTen);
        texts.put("isbn13", BookNumbers::isThirteen);
        texts.put("creditcard", BookNumbers::isCreditCard);
        texts.put("ssn", matches("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$"));
        texts.put("hexcolor", matches("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"));
        texts.put("rgbcolor", matches("^rgb\\(\\s*(\\d{1,3})\\s*,\\s*(\\d{1,3})\\s*,\\s*(\\d{1,3})\\s*\\)$"));
        texts.put("byte", Format::isBase64);
        texts.put("password", _ -> true);
        texts.put("date", Format::isDate);
        texts.put("datetime", Format::isDateTime);
        texts.put("duration", Format::isDuration);
        texts.put("k8sshortname", text -> Names.dnsLabel(text).isEmpty());
        texts.put("k8slongname", text -> Names.dnsSubdomain(text).isEmpty());
        return Map.copyOf(texts);
    }

    private static Predicate<String> matches(String pattern) {
        var compiled = Pattern.compile(pattern);
        return text -> text.length() <= LONGEST && compiled.matches(text);
    }

    private static Predicate<String> uuid(String third, String fourth) {
        return matches("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?" + third + "-?" + fourth + "-?[0-9a-f]{12}$");
    }

    private static boolean isUri(String text) {
        try {
            return text.startsWith("/") || new URI(text).isAbsolute();
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isHostname(String text) {
        if (text.isEmpty() || text.length() > 253) {
            return false;
        }
        for (var label : text.split("\\.", -1)) {
            boolean fits = !label.isEmpty()
                    && label.length() <= 63
                    && !label.startsWith("-")
                    && !label.endsWith("-")
                    && label.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || c == '-');
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBase64(String text) {
        try {
            var _ = Base64.getDecoder().decode(text);
            return text.length() % 4 == 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isDate(String text) {
        try {
            var _ = LocalDate.parse(text);
            return text.length() == 10;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        try {
            var _ = OffsetDateTime.parse(text.replace(' ', 'T'));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static final Pattern WORDS = Pattern.compile(
            "^(\\d+(\\.\\d+)?\\s*(ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|"
                    + "seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)\\s*)+$");

    // Go's form, or the one of Scala: `3 days`.
    private static boolean isDuration(String text) {
        try {
            var _ = Durations.parse(text);
            return true;
        } catch (Durations.Malformed e) {
            return text.length() <= LONGEST && WORDS.matches(text);
        }
    }
}
