package dev.towtank.app.lint.settings;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The releases that files are for.
///
/// @param named those that somebody said; the others are only the newest
public record Target(Map<Component, Release> releases, Set<Component> named) {

    public enum Component {
        TEKTON("Tekton", "1.9"),
        KSERVE("KServe", "0.20"),
        ESO("External Secrets", "2"),
        KUBERNETES("Kubernetes", "1.35");

        private final String title;
        private final String current;

        Component(String title, String current) {
            this.title = title;
            this.current = current;
        }

        public String title() {
            return title;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Only what decides about APIs: `1.9` of `v1.9.3`.
    public record Release(int major, int minor) implements Comparable<Release> {
        private static final Pattern FORM = Pattern.compile("v?(\\d{1,4})(?:\\.(\\d{1,4}))?(?:\\.[\\w.-]+)?");

        static Optional<Release> parse(String text) {
            var matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            int minor = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
            return Optional.of(new Release(Integer.parseInt(matcher.group(1)), minor));
        }

        public static Release of(String text) {
            return parse(text).orElseThrow(() -> new IllegalArgumentException(text));
        }

        @Override
        public int compareTo(Release other) {
            return major == other.major ? Integer.compare(minor, other.minor) : Integer.compare(major, other.major);
        }

        @Override
        public String toString() {
            return major + "." + minor;
        }
    }

    /// A list of targets makes no sense; the message says why.
    public static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    public Target {
        releases = Map.copyOf(releases);
        named = Set.copyOf(named);
    }

    /// The releases that are current now.
    public static final Target CURRENT = new Target(
            Stream.of(Component.values()).collect(Collectors.toMap(each -> each, each -> Release.of(each.current))),
            Set.of());

    /// @param text such as `tekton=1.9,eso=2`; what it does not name is current
    public static Target parse(String text) throws Malformed {
        var releases = new EnumMap<Component, Release>(CURRENT.releases);
        var named = EnumSet.noneOf(Component.class);
        for (var part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            var name = equals < 0 ? part : part.substring(0, equals);
            var component = Stream.of(Component.values())
                    .filter(each -> each.word().equals(name.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new Malformed("'" + part + "' is no target; write one of "
                            + Stream.of(Component.values())
                                    .map(each -> each.word() + "=" + each.current)
                                    .collect(Collectors.joining(", "))));
            named.add(component);
            releases.put(
                    component,
                    Release.parse(equals < 0 ? "" : part.substring(equals + 1).strip())
                            .orElseThrow(() -> new Malformed("'" + part + "' has no version; write " + component.word()
                                    + "=" + component.current)));
        }
        return new Target(releases, named);
    }

    public Release of(Component component) {
        return releases.getOrDefault(component, Release.of(component.current));
    }

    /// As in a message: `Tekton 1.9`.
    public String name(Component component) {
        return component.title + " " + of(component);
    }
}
