package dev.towtank.model.kinds.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sets of indexes of an indexed Job, written as `0,2-5,9`.
final class JobIndexes {

    /// The text is no set of indexes; the message says why.
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    private record Interval(long first, long last) {}

    private final List<Interval> intervals;

    private JobIndexes(List<Interval> intervals) {
        this.intervals = intervals;
    }

    static JobIndexes parse(String text, long completions) {
        var found = new ArrayList<Interval>();
        for (var part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            var interval = interval(part, completions);
            if (!found.isEmpty() && found.getLast().last >= interval.first) {
                throw notIncreasing(found.getLast().last, interval.first);
            }
            found.add(interval);
        }
        return new JobIndexes(found);
    }

    long size() {
        return intervals.stream().mapToLong(each -> each.last - each.first + 1).sum();
    }

    /// The first index that is in both sets.
    Optional<Long> overlap(JobIndexes other) {
        for (var mine : intervals) {
            for (var theirs : other.intervals) {
                if (mine.first <= theirs.last && theirs.first <= mine.last) {
                    return Optional.of(Math.max(mine.first, theirs.first));
                }
            }
        }
        return Optional.empty();
    }

    private static Interval interval(String text, long completions) {
        var limits = text.split("-", -1);
        if (limits.length > 2) {
            throw new Malformed("the fragment \"" + text + "\" violates the requirement that an index interval can have"
                    + " at most two parts separated by '-'");
        }
        long first = index(limits[0], completions);
        if (limits.length == 1) {
            return new Interval(first, first);
        }
        long last = index(limits[1], completions);
        if (first >= last) {
            throw notIncreasing(first, last);
        }
        return new Interval(first, last);
    }

    private static long index(String text, long completions) {
        if (!text.matches("[+-]?[0-9]{1,18}")) {
            throw new Malformed("cannot convert string to integer for index: \"" + text + "\"");
        }
        long index = Long.parseLong(text);
        if (index >= completions) {
            throw new Malformed("too large index: \"" + text + "\"");
        }
        return index;
    }

    private static Malformed notIncreasing(long previous, long current) {
        return new Malformed("non-increasing order, previous: " + previous + ", current: " + current);
    }
}
