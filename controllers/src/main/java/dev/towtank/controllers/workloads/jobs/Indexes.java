package dev.towtank.controllers.workloads.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A set of completion indexes, written as `0,2-5,9`.
record Indexes(List<Interval> intervals) {

    static final Indexes NONE = new Indexes(List.of());

    record Interval(long first, long last) {
        long size() {
            return last - first + 1;
        }

        @Override
        public String toString() {
            if (first == last) {
                return Long.toString(first);
            }
            return first + (last == first + 1 ? "," : "-") + last;
        }
    }

    Indexes {
        intervals = List.copyOf(intervals);
    }

    /// What is no index, or beyond the completions, is passed over.
    static Indexes parse(String text, long completions) {
        var found = NONE;
        for (var part : text.split(",", -1)) {
            var limits = part.split("-", 2);
            if (isNumber(limits[0]) && (limits.length == 1 || isNumber(limits[1]))) {
                long first = Long.parseLong(limits[0]);
                long last = Math.min(Long.parseLong(limits[limits.length - 1]), completions - 1);
                found = first <= last ? found.plus(new Indexes(List.of(new Interval(first, last)))) : found;
            }
        }
        return found;
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,10}");
    }

    static Indexes of(Collection<Long> indexes) {
        var found = new ArrayList<Interval>();
        for (long index : new TreeSet<>(indexes)) {
            append(found, new Interval(index, index));
        }
        return new Indexes(found);
    }

    private static void append(List<Interval> found, Interval next) {
        if (found.isEmpty() || next.first > found.getLast().last + 1) {
            found.add(next);
        } else if (next.last > found.getLast().last) {
            found.add(new Interval(found.removeLast().first, next.last));
        }
    }

    Indexes plus(Indexes other) {
        var all = new ArrayList<Interval>();
        int mine = 0;
        int theirs = 0;
        while (mine < intervals.size() || theirs < other.intervals.size()) {
            boolean takeMine = theirs == other.intervals.size()
                    || (mine < intervals.size() && intervals.get(mine).first < other.intervals.get(theirs).first);
            append(all, takeMine ? intervals.get(mine++) : other.intervals.get(theirs++));
        }
        return new Indexes(all);
    }

    long size() {
        return intervals.stream().mapToLong(Interval::size).sum();
    }

    boolean has(long index) {
        int low = 0;
        int high = intervals.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (intervals.get(middle).last >= index) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high < intervals.size() && intervals.get(high).first <= index;
    }

    /// How many of the indexes are in the other set too.
    long common(Indexes other) {
        long common = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < intervals.size() && theirs < other.intervals.size()) {
            var one = intervals.get(mine);
            var two = other.intervals.get(theirs);
            common += Math.max(0, Math.min(one.last, two.last) - Math.max(one.first, two.first) + 1);
            if (one.last < two.last) {
                mine++;
            } else {
                theirs++;
            }
        }
        return common;
    }

    /// The first indexes below a limit that are not in this set.
    List<Long> missing(long count, long limit) {
        var missing = new ArrayList<Long>();
        long candidate = 0;
        for (var interval : intervals) {
            for (; candidate < Math.min(interval.first, limit) && missing.size() < count; candidate++) {
                missing.add(candidate);
            }
            candidate = Math.max(candidate, interval.last + 1);
        }
        for (; candidate < limit && missing.size() < count; candidate++) {
            missing.add(candidate);
        }
        return missing;
    }

    @Override
    public String toString() {
        return intervals.stream().map(Interval::toString).collect(Collectors.joining(","));
    }
}
