package dev.towtank.model.template.functions;

import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.GoText;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads a moment by Go's layout. What the layout does not name is the first there is.
final class GoTimeReader {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");
    private static final Pattern FRACTION = Pattern.compile("[.,]([0-9]{1,9})");
    private static final Pattern OFFSET = Pattern.compile("([-+])([0-9]{2}):?([0-9]{2})?");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");

    private final String layout;
    private final String text;
    private int at;
    private int year = 1;
    private int month = 1;
    private int day = 1;
    private int hour;
    private int minute;
    private int second;
    private int nanosecond;
    private @Nullable Boolean afternoon;
    private @Nullable ZoneId zone;

    private GoTimeReader(String layout, String text) {
        this.layout = layout;
        this.text = text;
    }

    static GoTime read(String layout, String text, ZoneId usual) {
        var reader = new GoTimeReader(layout, text);
        reader.run();
        return reader.moment(usual);
    }

    private void run() {
        for (int i = 0; i < layout.length(); ) {
            int start = i;
            var part = GoTime.PARTS.stream()
                    .filter(each -> layout.startsWith(each, start))
                    .findFirst();
            if (part.isPresent()) {
                part(part.get(), start);
                i += part.get().length();
            } else if (at < text.length() && text.charAt(at) == layout.charAt(i)) {
                at++;
                i++;
            } else {
                throw mismatch(layout.substring(i));
            }
        }
        if (at < text.length()) {
            throw complaint(": extra text: " + GoText.quote(text.substring(at)));
        }
    }

    private void part(String part, int start) {
        switch (part) {
            case "2006" -> year = number(part, 4, 4);
            case "06" -> {
                int two = number(part, 2, 2);
                year = two >= 69 ? 1900 + two : 2000 + two;
            }
            case "01" -> month = number(part, 2, 2);
            case "1" -> month = number(part, 1, 2);
            case "January", "Jan" -> month = month(part);
            case "Monday", "Mon" -> take(WORD, part);
            case "02" -> day = number(part, 2, 2);
            case "2" -> day = number(part, 1, 2);
            case "_2" -> {
                at += at < text.length() && text.charAt(at) == ' ' ? 1 : 0;
                day = number(part, 1, 2);
            }
            case "15" -> hour = number(part, 2, 2);
            case "03" -> hour = number(part, 2, 2);
            case "3" -> hour = number(part, 1, 2);
            case "04" -> minute = number(part, 2, 2);
            case "4" -> minute = number(part, 1, 2);
            case "05", "5" -> {
                second = number(part, part.length(), 2);
                fraction(start + part.length());
            }
            case "PM", "pm" -> afternoon = take(WORD, part).group().equalsIgnoreCase("pm");
            case "MST" -> zone = named(take(WORD, part).group());
            default -> zone = offset(part);
        }
    }

    private int number(String part, int fewest, int most) {
        var matcher = NUMBER.matcher(text).region(at, Math.min(text.length(), at + most));
        if (!matcher.lookingAt() || matcher.group().length() < fewest) {
            throw mismatch(part);
        }
        at = matcher.end();
        return Integer.parseInt(matcher.group());
    }

    private Matcher take(Pattern pattern, String part) {
        var matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw mismatch(part);
        }
        at = matcher.end();
        return matcher;
    }

    private int month(String part) {
        var word = take(WORD, part).group();
        for (var each : java.time.Month.values()) {
            var style = part.equals("Jan") ? TextStyle.SHORT : TextStyle.FULL;
            if (each.getDisplayName(style, Locale.ENGLISH).equalsIgnoreCase(word)) {
                return each.getValue();
            }
        }
        throw mismatch(part);
    }

    // Digits behind the seconds count even where the layout has none.
    private void fraction(int behind) {
        var matcher = FRACTION.matcher(text).region(at, text.length());
        if (matcher.lookingAt() && !layout.startsWith(".", behind) && !layout.startsWith(",", behind)) {
            at = matcher.end();
            nanosecond = Integer.parseInt((matcher.group(1) + "000000000").substring(0, 9));
        }
    }

    private static @Nullable ZoneId named(String word) {
        return word.equals("UTC") || word.equals("GMT") ? ZoneId.of("UTC") : null;
    }

    private ZoneId offset(String part) {
        if (part.startsWith("Z") && text.startsWith("Z", at)) {
            at++;
            return ZoneId.of("UTC");
        }
        var matcher = take(OFFSET, part);
        int minutes = Integer.parseInt(matcher.group(2)) * 60
                + (matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3)));
        if (minutes > 18 * 60) {
            throw mismatch(part);
        }
        return ZoneOffset.ofTotalSeconds((matcher.group(1).equals("-") ? -60 : 60) * minutes);
    }

    private GoTime moment(ZoneId usual) {
        var half = afternoon;
        int ofDay = half == null ? hour : half ? hour % 12 + 12 : hour % 12;
        try {
            var local = LocalDateTime.of(year, month, day, ofDay, minute, second, nanosecond);
            return new GoTime(ZonedDateTime.of(local, zone == null ? usual : zone));
        } catch (DateTimeException e) {
            throw complaint(": out of range");
        }
    }

    private FunctionError mismatch(String part) {
        return complaint(" as " + GoText.quote(layout) + ": cannot parse " + GoText.quote(text.substring(at)) + " as "
                + GoText.quote(part));
    }

    private FunctionError complaint(String what) {
        return new FunctionError("parsing time " + GoText.quote(text) + what);
    }
}
