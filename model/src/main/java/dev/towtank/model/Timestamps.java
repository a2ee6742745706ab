package dev.towtank.model;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Moments as nearly all of them are written, `2026-01-31T23:59:59Z`. An object has a dozen, and they are read and
/// written again with every change; the general formatter takes ten times as long.
public final class Timestamps {

    private static final String FORM = "0000-00-00T00:00:00Z";
    private static final int SECONDS_A_DAY = 86_400;
    private static final int SHORTEST_MONTH = 28;
    private static final int LAST_YEAR = 9999;

    private Timestamps() {}

    /// To the second, whatever the moment has of a second being left out.
    public static String seconds(Instant moment) {
        long second = moment.getEpochSecond();
        var day = LocalDate.ofEpochDay(Math.floorDiv(second, SECONDS_A_DAY));
        if (day.getYear() < 0 || day.getYear() > LAST_YEAR) {
            return moment.truncatedTo(ChronoUnit.SECONDS).toString();
        }
        int time = Math.floorMod(second, SECONDS_A_DAY);
        var text = FORM.getBytes(StandardCharsets.US_ASCII);
        put(day.getYear(), text, 4);
        put(day.getMonthValue(), text, 7);
        put(day.getDayOfMonth(), text, 10);
        put(time / 3600, text, 13);
        put(time / 60 % 60, text, 16);
        put(time % 60, text, 19);
        return new String(text, StandardCharsets.US_ASCII);
    }

    /// Since when a condition has its value: the moment stays as long as the value does.
    ///
    /// @param status which has the condition as it was, perhaps
    public static String ofCondition(Json.Obj status, String type, String value, Instant now) {
        return status.objects("conditions").stream()
                .filter(known -> known.string("type").equals(type)
                        && known.string("status").equals(value))
                .map(known -> known.string("lastTransitionTime"))
                .findFirst()
                .orElse(seconds(now));
    }

    private static void put(int number, byte[] text, int end) {
        int rest = number;
        for (int i = end - 1; rest > 0; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /// Of any form in UTC.
    ///
    /// @throws DateTimeParseException the text is no moment
    public static Instant parse(String text) {
        return parseSeconds(text).orElseGet(() -> Instant.parse(text));
    }

    /// Empty where the text is of another form, which may be a moment all the same.
    public static Optional<Instant> parseSeconds(String text) {
        if (!isOfForm(text)) {
            return Optional.empty();
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        if (hour > 23 || minute > 59 || second > 59 || !isDay(year, month, day)) {
            return Optional.empty();
        }
        long midnight = LocalDate.of(year, month, day).toEpochDay() * SECONDS_A_DAY;
        return Optional.of(Instant.ofEpochSecond(midnight + hour * 3600L + minute * 60L + second));
    }

    private static boolean isOfForm(String text) {
        if (text.length() != FORM.length()) {
            return false;
        }
        for (int i = 0; i < FORM.length(); i++) {
            char c = text.charAt(i);
            char expected = FORM.charAt(i);
            if (expected == '0' ? c < '0' || c > '9' : c != expected) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int until) {
        int number = 0;
        for (int i = from; i < until; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }

    private static boolean isDay(int year, int month, int day) {
        return month >= 1
                && month <= 12
                && day >= 1
                && (day <= SHORTEST_MONTH || day <= YearMonth.of(year, month).lengthOfMonth());
    }
}
