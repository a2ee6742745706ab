package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.api.ProjectGlobs;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.batch.CronSchedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// When an Application may be synced, by the windows of its project. One that denies wins over all that allow; where
/// any
/// allows at some time, there is no other time.
record SyncWindows(List<Json.Obj> windows) {

    static final SyncWindows NONE = new SyncWindows(List.of());

    /// What an operation is told while it waits.
    static final String BLOCKED = "Sync operation blocked by sync window";

    private static final Set<String> KNOWN = Set.of(
            "kind",
            "schedule",
            "duration",
            "applications",
            "namespaces",
            "clusters",
            "manualSync",
            "timeZone",
            "andOperator",
            "description",
            "syncOverrun");

    SyncWindows {
        windows = List.copyOf(windows);
    }

    /// @param why for people; empty where nothing stands in the way
    /// @param changes when to ask again
    record Verdict(boolean isOpen, String why, Optional<Instant> changes) {}

    /// Those that are about an application.
    static SyncWindows of(Json.Obj project, String application, Destination destination) {
        return new SyncWindows(project.objects("syncWindows").stream()
                .filter(window -> isAbout(window, application, destination))
                .toList());
    }

    private static boolean isAbout(Json.Obj window, String application, Destination destination) {
        var answers = Stream.of(
                        among(window, "applications", application),
                        among(window, "namespaces", destination.namespace()),
                        among(window, "clusters", destination.server(), destination.name()))
                .flatMap(Optional::stream)
                .toList();
        return window.flag("andOperator") ? !answers.isEmpty() && !answers.contains(false) : answers.contains(true);
    }

    /// Empty where the window does not ask.
    private static Optional<Boolean> among(Json.Obj window, String field, String... names) {
        var patterns = window.array(field).strings();
        return patterns.isEmpty()
                ? Optional.empty()
                : Optional.of(Stream.of(names)
                        .filter(name -> !name.isEmpty())
                        .anyMatch(name -> patterns.stream().anyMatch(each -> ProjectGlobs.matches(each, name))));
    }

    /// What cannot be understood in a project's windows; for people.
    static List<String> problems(Json.Obj project) {
        var problems = new ArrayList<String>();
        for (var window : project.objects("syncWindows")) {
            var kind = window.string("kind");
            if (!kind.equals("allow") && !kind.equals("deny")) {
                problems.add("kind '" + kind + "' mismatch: can only be allow or deny");
            }
            window.keys().stream()
                    .filter(key -> !KNOWN.contains(key))
                    .forEach(key -> problems.add("the field " + key + " is not served"));
            try {
                var _ = CronSchedule.parse(window.string("schedule"));
            } catch (CronSchedule.Malformed e) {
                problems.add("cannot parse schedule '" + window.string("schedule") + "': " + e.text());
            }
            try {
                var _ = Durations.parse(window.string("duration"));
            } catch (Durations.Malformed e) {
                problems.add("cannot parse duration '" + window.string("duration") + "'");
            }
            try {
                var _ = zone(window);
            } catch (DateTimeException e) {
                problems.add("cannot parse '" + window.string("timeZone") + "' as a time zone");
            }
        }
        return problems;
    }

    private static ZoneId zone(Json.Obj window) {
        return window.string("timeZone").isEmpty() ? ZoneOffset.UTC : ZoneId.of(window.string("timeZone"));
    }

    /// @param ends of an open window
    private record Hours(Json.Obj window, boolean isNow, Optional<Instant> begins, Instant ends) {}

    private static Hours hours(Json.Obj window, Instant now) {
        var schedule = CronSchedule.parse(window.string("schedule"));
        var length = Durations.parse(window.string("duration"));
        var zone = zone(window);
        var last = schedule.next(now.minus(length).atZone(zone)).map(ZonedDateTime::toInstant);
        boolean isNow = last.filter(begin -> !begin.isAfter(now)).isPresent();
        return new Hours(
                window,
                isNow,
                schedule.next(now.atZone(zone)).map(ZonedDateTime::toInstant),
                last.orElse(now).plus(length));
    }

    /// @param isManual somebody asked for the sync
    /// @param isRunning it began before; some windows let it come to its end
    Verdict at(Instant now, boolean isManual, boolean isRunning) {
        if (windows.isEmpty()) {
            return new Verdict(true, "", Optional.empty());
        }
        var hours = windows.stream().map(window -> hours(window, now)).toList();
        var changes = hours.stream()
                .flatMap(each -> each.isNow() ? Stream.of(each.ends()) : each.begins().stream())
                .min(Comparator.naturalOrder());
        var denies =
                hours.stream().filter(each -> each.isNow() && is(each, "deny")).toList();
        if (!denies.isEmpty()) {
            return verdict(denies, "until " + last(denies), isManual, isRunning, changes);
        }
        var allows = hours.stream().filter(each -> is(each, "allow")).toList();
        if (allows.isEmpty() || allows.stream().anyMatch(Hours::isNow)) {
            return new Verdict(true, "", changes);
        }
        var next = allows.stream().flatMap(each -> each.begins().stream()).min(Comparator.naturalOrder());
        return verdict(allows, "until " + next.map(Instant::toString).orElse("never"), isManual, isRunning, changes);
    }

    private static boolean is(Hours hours, String kind) {
        return hours.window().string("kind").equals(kind);
    }

    private static Instant last(List<Hours> hours) {
        return hours.stream().map(Hours::ends).max(Comparator.naturalOrder()).orElseThrow();
    }

    private static Verdict verdict(
            List<Hours> closing, String until, boolean isManual, boolean isRunning, Optional<Instant> changes) {
        boolean isOpen = (isManual
                        && closing.stream().allMatch(each -> each.window().flag("manualSync")))
                || (isRunning && closing.stream().allMatch(each -> each.window().flag("syncOverrun")));
        var first = closing.getFirst().window();
        var why = "held back " + until + " by the sync window " + first.string("kind") + " '"
                + first.string("schedule") + "' for " + Durations.format(length(first))
                + (first.flag("manualSync") ? "; syncs by hand are not" : "");
        return new Verdict(isOpen, isOpen ? "" : why, changes);
    }

    private static Duration length(Json.Obj window) {
        return Durations.parse(window.string("duration"));
    }
}
