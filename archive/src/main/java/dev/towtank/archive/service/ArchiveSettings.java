package dev.towtank.archive.service;

import dev.towtank.archive.watch.WatchSettings;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a TektonResult says.
///
/// @param namespace of its Secret and its ConfigMap
/// @param problems values that cannot be followed, each by its field; with one, nothing is archived or deleted
/// @param withoutEffect fields that are set and change nothing here
public record ArchiveSettings(
        String namespace,
        WatchSettings watch,
        DatabaseChoice database,
        List<String> problems,
        List<String> withoutEffect) {

    /// Watcher's fields that are read here.
    private static final Set<String> WATCHER = Set.of(
            "completed_run_grace_period",
            "check_owner",
            "store_deadline",
            "disable_storing_incomplete_runs",
            "store_event",
            "summary_labels",
            "label_selector");

    /// Fields of the spec that are read here, or that say what is the case anyway.
    private static final Set<String> SPEC = Set.of(
            "targetNamespace",
            "disabled",
            "watcher",
            "is_external_db",
            "db_host",
            "db_port",
            "db_name",
            "db_sslmode",
            "db_secret_name",
            "db_secret_user_key",
            "db_secret_password_key");

    /// What may be said, because it is so: logs are always archived, and nobody reads without being asked who they are.
    private static final Map<String, Json> THE_CASE =
            Map.of("logs_api", Json.of(true), "auth_impersonate", Json.of(true), "auth_disable", Json.of(false));

    public ArchiveSettings {
        problems = List.copyOf(problems);
        withoutEffect = List.copyOf(withoutEffect);
    }

    /// Where the archive is kept: in a file of ours, or in a PostgreSQL.
    public sealed interface DatabaseChoice {

        record OwnFile() implements DatabaseChoice {}

        /// @param secret with user and password, in the namespace of the settings
        record External(
                String host, long port, String name, String sslMode, String secret, String userKey, String passwordKey)
                implements DatabaseChoice {}
    }

    public static boolean isOn(Resource result) {
        return !result.isDeleting() && !result.spec().flag("disabled");
    }

    public static ArchiveSettings of(Resource result) {
        var spec = result.spec();
        var problems = new ArrayList<String>();
        var namespace = spec.string("targetNamespace");
        return new ArchiveSettings(
                namespace.isEmpty() ? ResultKinds.NAMESPACE : namespace,
                watch(spec.object("watcher"), problems),
                database(spec, problems),
                problems,
                withoutEffect(spec));
    }

    private static WatchSettings watch(Json.Obj watcher, List<String> problems) {
        var usual = WatchSettings.DEFAULT;
        var grace = duration(watcher, "completed_run_grace_period", problems);
        return new WatchSettings(
                // Zero keeps runs for ever; less than that keeps them not at all.
                grace.filter(time -> !time.isZero()).map(time -> time.isNegative() ? Duration.ZERO : time),
                truth(watcher, "check_owner", usual.checkOwner()),
                duration(watcher, "store_deadline", problems),
                !truth(watcher, "disable_storing_incomplete_runs", true),
                truth(watcher, "store_event", usual.events()),
                watcher.has("summary_labels")
                        ? List.of(watcher.string("summary_labels").split(",", -1))
                        : usual.summaryLabels(),
                selector(watcher, problems),
                usual.managedBy());
    }

    private static boolean truth(Json.Obj object, String field, boolean otherwise) {
        return object.has(field) ? object.flag(field) : otherwise;
    }

    private static Optional<Duration> duration(Json.Obj object, String field, List<String> problems) {
        var text = object.string(field);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Durations.parse(text));
        } catch (Durations.Malformed e) {
            problems.add("spec.watcher." + field + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static LabelSelector selector(Json.Obj watcher, List<String> problems) {
        try {
            return LabelSelector.parse(watcher.string("label_selector"));
        } catch (RuntimeException e) {
            problems.add("spec.watcher.label_selector: " + e.getMessage());
            return LabelSelector.NOTHING;
        }
    }

    private static DatabaseChoice database(Json.Obj spec, List<String> problems) {
        if (!spec.flag("is_external_db")) {
            return new DatabaseChoice.OwnFile();
        }
        if (spec.string("db_host").isEmpty()) {
            problems.add("spec.db_host: must be given where is_external_db is true");
        }
        return new DatabaseChoice.External(
                spec.string("db_host"),
                spec.has("db_port") ? spec.integer("db_port") : 5432,
                otherwise(spec.string("db_name"), "tekton-results"),
                spec.string("db_sslmode"),
                otherwise(spec.string("db_secret_name"), "tekton-results-postgres"),
                otherwise(spec.string("db_secret_user_key"), "POSTGRES_USER"),
                otherwise(spec.string("db_secret_password_key"), "POSTGRES_PASSWORD"));
    }

    private static String otherwise(String said, String usual) {
        return said.isEmpty() ? usual : said;
    }

    private static List<String> withoutEffect(Json.Obj spec) {
        var all = new TreeSet<String>();
        boolean external = spec.flag("is_external_db");
        spec.forEach((field, value) -> {
            boolean isOfDatabase = field.startsWith("db_");
            boolean isTheCase = Optional.ofNullable(THE_CASE.get(field))
                    .filter(value::equals)
                    .isPresent();
            if (!isTheCase && !isEmpty(value) && (!SPEC.contains(field) || (isOfDatabase && !external))) {
                all.add(field);
            }
        });
        spec.object("watcher").forEach((field, value) -> {
            boolean isTheCase = field.equals("logs_api") && value.equals(Json.of(true));
            if (!isTheCase && !WATCHER.contains(field) && !isEmpty(value)) {
                all.add("watcher." + field);
            }
        });
        return List.copyOf(all);
    }

    private static boolean isEmpty(Json value) {
        return switch (value) {
            case Json.Obj object -> object.size() == 0;
            case Json.Arr list -> list.size() == 0;
            case Json.Str(var text) -> text.isEmpty();
            case Json.Null _ -> true;
            default -> false;
        };
    }
}
