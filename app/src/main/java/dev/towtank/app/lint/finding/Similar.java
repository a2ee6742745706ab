package dev.towtank.app.lint.finding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Finds what somebody may have meant.
public final class Similar {

    private Similar() {}

    public static Optional<String> to(String name, Collection<String> candidates) {
        int most = Math.clamp(name.length() / 3, 0, 2);
        return candidates.stream()
                .filter(each -> each.equalsIgnoreCase(name) || distance(each, name) <= most)
                .min(Comparator.comparingInt((String each) -> each.equalsIgnoreCase(name) ? 0 : distance(each, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /// How many letters must be put in, taken away, exchanged or swapped with the next.
    static int distance(String one, String other) {
        var rows = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int exchanged = rows[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                rows[i][j] = Math.min(exchanged, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
                boolean swapped = i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
                if (swapped) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[one.length()][other.length()];
    }
}
