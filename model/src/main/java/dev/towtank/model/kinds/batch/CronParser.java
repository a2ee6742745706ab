package dev.towtank.model.kinds.batch;

import dev.towtank.model.kinds.batch.CronSchedule.Bounds;
import dev.towtank.model.kinds.batch.CronSchedule.Malformed;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Reads cron schedules and says what is wrong with them in the words of Kubernetes' parser.
final class CronParser {

    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h)");
    private static final Pattern DURATION = Pattern.compile("(?:" + DURATION_PART.pattern() + ")+");

    private CronParser() {}

    static CronSchedule parse(String text) {
        if (text.isEmpty()) {
            throw new Malformed("empty spec string");
        }
        var rest = withoutZone(text);
        if (rest.startsWith("@")) {
            return descriptor(rest);
        }
        var fields = Arrays.stream(rest.split("\\s+", -1))
                .filter(field -> !field.isEmpty())
                .toList();
        if (fields.size() != Bounds.ALL.size()) {
            throw new Malformed(
                    "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]");
        }
        return fields(fields);
    }

    // Where a zone may stand is for the rules of CronJobs to say.
    private static String withoutZone(String text) {
        if (!text.startsWith("TZ=") && !text.startsWith("CRON_TZ=")) {
            return text;
        }
        int space = text.indexOf(' ');
        return space < 0 ? "" : text.substring(space).strip();
    }

    private static CronSchedule fields(List<String> fields) {
        boolean anyDay = isStar(fields.get(2)) || isStar(fields.get(4));
        return new CronSchedule.Fields(
                bits(fields.get(0), Bounds.MINUTES),
                bits(fields.get(1), Bounds.HOURS),
                bits(fields.get(2), Bounds.DAYS),
                bits(fields.get(3), Bounds.MONTHS),
                bits(fields.get(4), Bounds.WEEKDAYS),
                anyDay);
    }

    private static CronSchedule descriptor(String text) {
        return switch (text) {
            case "@yearly", "@annually" -> fields(List.of("0", "0", "1", "1", "*"));
            case "@monthly" -> fields(List.of("0", "0", "1", "*", "*"));
            case "@weekly" -> fields(List.of("0", "0", "*", "*", "0"));
            case "@daily", "@midnight" -> fields(List.of("0", "0", "*", "*", "*"));
            case "@hourly" -> fields(List.of("0", "*", "*", "*", "*"));
            default -> {
                if (text.startsWith("@every ")) {
                    yield new CronSchedule.Every(every(text));
                }
                throw new Malformed("unrecognized descriptor: " + text);
            }
        };
    }

    private static Duration every(String text) {
        var amount = text.substring("@every ".length());
        if (!DURATION.matcher(amount).matches()) {
            throw new Malformed("failed to parse duration " + text + ": time: invalid duration \"" + amount + "\"");
        }
        double seconds = 0;
        for (var part : DURATION_PART.matcher(amount).results().toList()) {
            seconds += Double.parseDouble(part.group(1)) * secondsOf(part.group(2));
        }
        // Less than a second is rounded up to one, the fraction of more is dropped.
        return Duration.ofSeconds(Math.max(1, (long) Math.min(seconds, 1e12)));
    }

    private static double secondsOf(String unit) {
        return switch (unit) {
            case "h" -> 3600;
            case "m" -> 60;
            case "s" -> 1;
            case "ms" -> 1e-3;
            case "ns" -> 1e-9;
            default -> 1e-6;
        };
    }

    /// A star that was not thinned out: `*`, `?` and `*/1`, also within a list.
    private static boolean isStar(String field) {
        return Arrays.stream(field.split(",", -1)).anyMatch(part -> part.matches("[*?]([-][^/]*)?(/[+]?0*[01])?"));
    }

    private static long bits(String field, Bounds bounds) {
        long bits = 0;
        for (var part : field.split(",", -1)) {
            if (!part.isEmpty()) {
                bits |= range(part, bounds);
            }
        }
        return bits;
    }

    private static long range(String expression, Bounds bounds) {
        var rangeAndStep = expression.split("/", -1);
        var lowAndHigh = rangeAndStep[0].split("-", -1);
        boolean star = lowAndHigh[0].equals("*") || lowAndHigh[0].equals("?");
        if (!star && lowAndHigh.length > 2) {
            throw new Malformed("too many hyphens: " + expression);
        }
        int start = star ? bounds.minimum() : number(lowAndHigh[0], bounds);
        int end = star ? bounds.maximum() : lowAndHigh.length == 1 ? start : number(lowAndHigh[1], bounds);
        if (rangeAndStep.length > 2) {
            throw new Malformed("too many slashes: " + expression);
        }
        int step = 1;
        if (rangeAndStep.length == 2) {
            step = number(rangeAndStep[1]);
            // `N/step` means from N on.
            end = lowAndHigh.length == 1 ? bounds.maximum() : end;
        }
        check(expression, bounds, start, end, step);
        long bits = 0;
        for (int value = start; value <= end; value += step) {
            bits |= 1L << value;
        }
        return bits;
    }

    private static void check(String expression, Bounds bounds, int start, int end, int step) {
        if (start < bounds.minimum()) {
            throw new Malformed(
                    "beginning of range (" + start + ") below minimum (" + bounds.minimum() + "): " + expression);
        }
        if (end > bounds.maximum()) {
            throw new Malformed("end of range (" + end + ") above maximum (" + bounds.maximum() + "): " + expression);
        }
        if (start > end) {
            throw new Malformed("beginning of range (" + start + ") beyond end of range (" + end + "): " + expression);
        }
        if (step == 0) {
            throw new Malformed("step of range should be a positive number: " + expression);
        }
    }

    private static int number(String text, Bounds bounds) {
        var named = bounds.names().get(text.toLowerCase(Locale.ROOT));
        return named == null ? number(text) : named;
    }

    private static int number(String text) {
        if (!Bounds.NUMBER.matcher(text).matches()) {
            throw new Malformed(
                    "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new Malformed("negative number (" + number + ") not allowed: " + text);
        }
        return number;
    }
}
