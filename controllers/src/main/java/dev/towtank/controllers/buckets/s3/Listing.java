package dev.towtank.controllers.buckets.s3;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// One page of the keys of a bucket.
///
/// @param prefix only keys that begin with it
/// @param delimiter keys that have it behind the prefix are summed up to it; may be empty
/// @param after keys and sums up to this one were on pages before
/// @param limit how many entries it may have
public record Listing(String prefix, String delimiter, String after, int limit) {

    /// By their bytes in UTF-8, as S3 has it: not as Java compares texts.
    public static final Comparator<String> ORDER = Listing::compare;

    /// Behind everything that begins with what it is put behind.
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    /// @param next what the next page comes after; empty where this is the last
    public record Page<T>(List<T> objects, List<String> prefixes, String next) {
        public Page {
            objects = List.copyOf(objects);
            prefixes = List.copyOf(prefixes);
        }

        public boolean isTruncated() {
            return !next.isEmpty();
        }
    }

    private static int compare(String one, String other) {
        int i = 0;
        while (i < one.length() && i < other.length()) {
            int a = one.codePointAt(i);
            int b = other.codePointAt(i);
            if (a != b) {
                return Integer.compare(a, b);
            }
            i += Character.charCount(a);
        }
        return Integer.compare(one.length(), other.length());
    }

    /// @param keys in [#ORDER]
    public <T> Page<T> of(NavigableMap<String, T> keys) {
        var objects = new ArrayList<T>();
        var prefixes = new ArrayList<String>();
        var last = "";
        var next = first(keys);
        while (next != null && next.startsWith(prefix)) {
            if (objects.size() + prefixes.size() == limit) {
                return new Page<>(objects, prefixes, last);
            }
            var sum = sum(next);
            var value = keys.get(next);
            if (!sum.isEmpty()) {
                prefixes.add(sum);
                last = sum;
                next = keys.higherKey(sum + LAST);
            } else {
                if (value != null) {
                    objects.add(value);
                }
                last = next;
                next = keys.higherKey(next);
            }
        }
        return new Page<>(objects, prefixes, "");
    }

    private @Nullable String first(NavigableMap<String, ?> keys) {
        if (ORDER.compare(after, prefix) < 0) {
            return keys.ceilingKey(prefix);
        }
        boolean isSum = !delimiter.isEmpty() && after.endsWith(delimiter) && after.length() > prefix.length();
        return after.isEmpty() ? keys.ceilingKey("") : keys.higherKey(isSum ? after + LAST : after);
    }

    private String sum(String key) {
        int end = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
        return end < 0 ? "" : key.substring(0, end + delimiter.length());
    }
}
