package dev.towtank.model.crd;

import java.util.Comparator;
import java.util.regex.Pattern;

/// Which version of a kind Kubernetes prefers: stable before beta before alpha, newer before older, and whatever is
/// no such version after all of them.
public final class VersionOrder implements Comparator<String> {

    public static final VersionOrder PREFERRED_FIRST = new VersionOrder();

    private static final Pattern FORM = Pattern.compile("v([0-9]{1,9})(?:(alpha|beta)([0-9]{1,9}))?");
    private static final Comparator<Parsed> NEWEST_FIRST = Comparator.comparingInt(Parsed::maturity)
            .thenComparingInt(Parsed::major)
            .thenComparingInt(Parsed::minor)
            .reversed()
            .thenComparing(Parsed::text);

    private VersionOrder() {}

    private record Parsed(int maturity, int major, int minor, String text) {
        static Parsed of(String text) {
            var found = FORM.matcher(text);
            if (!found.matches()) {
                return new Parsed(-1, 0, 0, text);
            }
            int major = Integer.parseInt(found.group(1));
            return found.group(2) == null
                    ? new Parsed(2, major, 0, text)
                    : new Parsed(found.group(2).equals("beta") ? 1 : 0, major, Integer.parseInt(found.group(3)), text);
        }
    }

    @Override
    public int compare(String one, String other) {
        return NEWEST_FIRST.compare(Parsed.of(one), Parsed.of(other));
    }
}
