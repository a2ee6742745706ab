package dev.towtank.model.kinds.batch;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.PodTemplates;
import dev.towtank.model.kinds.WorkloadColumns;
import dev.towtank.model.kinds.WorkloadNames;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

public final class CronJobs {

    public static final Kind<Json.Obj> KIND = Kind.namespaced("batch", "v1", "CronJob", "cronjobs")
            .withShortNames("cj")
            .withCategories("all")
            .withStatus()
            .withRules(new CronJobRules())
            .withColumns(
                    Column.ofName(),
                    Column.path("Schedule", "spec", "schedule"),
                    Column.text("Timezone", (object, _) -> Json.of(orNone(object.string("spec", "timeZone")))),
                    Column.of("Suspend", "boolean", (object, _) -> Json.of(suspended(object))),
                    Column.of(
                            "Active",
                            "integer",
                            (object, _) ->
                                    Json.of(object.array("status", "active").size())),
                    Column.text("Last Schedule", (object, now) -> {
                        var last = object.string("status", "lastScheduleTime");
                        return Json.of(last.isEmpty() ? "<none>" : Column.age(last, now));
                    }),
                    Column.ofAge(),
                    WorkloadColumns.containers("spec", "jobTemplate", "spec", "template", "spec"),
                    WorkloadColumns.images("spec", "jobTemplate", "spec", "template", "spec"),
                    WorkloadColumns.selector("spec", "jobTemplate", "spec", "selector"));

    /// The Jobs of a CronJob are called after it, a dash and a moment of ten digits.
    private static final int MAX_NAME = 52;

    private static final Pattern ZONE_PART = Pattern.compile("[A-Za-z.\\-_0-9+]{1,14}");

    private CronJobs() {}

    private static String orNone(String text) {
        return text.isEmpty() ? "<none>" : text;
    }

    private static String suspended(Json.Obj object) {
        return switch (object.at("spec", "suspend")) {
            case Json.Bool(var suspend) -> suspend ? "True" : "False";
            case null, default -> "<unset>";
        };
    }

    private static final class CronJobRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.always(object, "spec", spec -> {
                var filled = Fill.missing(spec, "concurrencyPolicy", "Allow");
                filled = Fill.missing(filled, "suspend", false);
                filled = Fill.missing(filled, "successfulJobsHistoryLimit", 3);
                filled = Fill.missing(filled, "failedJobsHistoryLimit", 1);
                return Fill.always(
                        filled, "jobTemplate", template -> Fill.always(template, "spec", JobSpecs::nestedDefaults));
            });
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            validateSchedule(spec.at("schedule"));
            spec.at("startingDeadlineSeconds").nonNegative();
            validateTimeZone(spec.at("timeZone"));
            spec.at("concurrencyPolicy").requiredOneOf("Allow", "Forbid", "Replace");
            validateJobTemplate(spec.at("jobTemplate", "spec"));
            spec.at("successfulJobsHistoryLimit").nonNegative();
            spec.at("failedJobsHistoryLimit").nonNegative();
        }

        @Override
        public void validateCreate(Json.Obj object, FieldError.Collector errors) {
            var name = Field.root(object, errors).at("metadata", "name");
            if (name.text().length() > MAX_NAME) {
                name.invalid("must be no more than 52 characters");
            }
        }

        private static void validateSchedule(Field schedule) {
            if (schedule.isEmpty()) {
                schedule.required("");
                return;
            }
            try {
                CronSchedule.parse(schedule.text());
            } catch (CronSchedule.Malformed e) {
                schedule.invalid(e.text());
            }
            if (schedule.text().contains("TZ")) {
                schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            }
        }

        private static void validateTimeZone(Field zone) {
            if (!zone.isPresent()) {
                return;
            }
            if (zone.text().isEmpty()) {
                zone.invalid("timeZone must be nil or non-empty string");
            } else if (!isWellFormed(zone.text())) {
                zone.invalid("unknown time zone " + zone.text());
            } else if (zone.text().equalsIgnoreCase("Local")) {
                zone.invalid("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
            } else if (!ZoneId.getAvailableZoneIds().contains(zone.text())) {
                zone.invalid("unknown time zone " + zone.text());
            }
        }

        private static boolean isWellFormed(String zone) {
            for (var part : zone.split("/", -1)) {
                if (part.equals(".")
                        || part.equals("..")
                        || part.startsWith("-")
                        || !ZONE_PART.matcher(part).matches()) {
                    return false;
                }
            }
            return true;
        }

        private static void validateJobTemplate(Field jobSpec) {
            JobSpecs.validate(jobSpec);
            if (jobSpec.has("selector")) {
                jobSpec.at("selector").invalid("`selector` will be auto-generated");
            }
            var manual = jobSpec.at("manualSelector");
            if (manual.flag()) {
                manual.errors().notSupported(manual.path(), Json.of(true), List.of("nil", "false"));
            }
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            var warnings = new ArrayList<>(WorkloadNames.warnings(object));
            warnings.addAll(PodTemplates.warnings(
                    Path.of("spec", "jobTemplate", "spec", "template"),
                    object.object("spec", "jobTemplate", "spec", "template")));
            return warnings;
        }

        @Override
        public boolean countsGenerations() {
            return true;
        }
    }
}
