package dev.towtank.model.kinds.batch;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;
import java.util.List;

/// What an update of a Job's status must not do: a finished Job stays finished, and its numbers must add up.
///
/// Most rules look only at what changed, so that an old oddity does not block an unrelated update.
final class JobStatusCheck {

    private final Json.Obj object;
    private final Json.Obj old;
    private final FieldError.Collector errors;
    private final Field status;
    private final Json.Obj oldStatus;

    JobStatusCheck(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        this.object = object;
        this.old = old;
        this.errors = errors;
        this.status = Field.root(object, errors).at("status");
        this.oldStatus = old.object("status");
    }

    void run() {
        for (var count : List.of("active", "succeeded", "failed", "ready", "terminating")) {
            status.at(count).nonNegative();
        }
        checkUncountedPods();
        checkConditions();
        checkTimes();
        if (isFinished(object)) {
            checkFinished();
        }
        checkIndexes();
        checkChange();
    }

    private static boolean isFinished(Json.Obj job) {
        return is(job, "Complete") || is(job, "Failed");
    }

    private static boolean is(Json.Obj job, String condition) {
        return JobColumns.isTrue(job, condition);
    }

    private boolean changed(String condition) {
        return is(object, condition) != is(old, condition);
    }

    private boolean changedField(String field) {
        return !Field.same(status.at(field).value(), oldStatus.get(field));
    }

    private void refuseConditions(String detail) {
        var path = status.path().child("conditions").text();
        errors.add(new FieldError(FieldError.Type.INVALID, path, null, detail));
    }

    private void checkUncountedPods() {
        var seen = new HashSet<String>();
        for (var list : List.of("succeeded", "failed")) {
            status.at("uncountedTerminatedPods", list).each(uid -> {
                if (uid.isEmpty()) {
                    uid.invalid("must not be empty");
                } else {
                    uid.unique(seen);
                }
            });
        }
    }

    private void checkConditions() {
        boolean complete = is(object, "Complete");
        boolean failed = is(object, "Failed");
        boolean target = is(object, "FailureTarget");
        boolean met = is(object, "SuccessCriteriaMet");
        if (complete && failed && (changed("Complete") || changed("Failed"))) {
            refuseConditions("cannot set Complete=True and Failed=true conditions");
        }
        if (complete && target && (changed("Complete") || changed("FailureTarget"))) {
            refuseConditions("cannot set Complete=True and FailureTarget=true conditions");
        }
        if (failed && !target && (changed("Failed") || changedField("failedIndexes"))) {
            refuseConditions("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if (complete && !met && (changed("Complete") || changed("SuccessCriteriaMet"))) {
            refuseConditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
        if (met && failed) {
            refuseConditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if (met && target) {
            refuseConditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if (complete && !met && object.at("spec", "successPolicy") != null) {
            refuseConditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    private void checkTimes() {
        boolean complete = is(object, "Complete");
        var start = status.at("startTime");
        var end = status.at("completionTime");
        if (changed("Complete") || changedField("completionTime")) {
            if (end.isPresent() && !complete) {
                end.invalid("cannot set completionTime when there is no Complete=True condition");
            }
            if (!end.isPresent() && complete) {
                end.required("completionTime is required for Complete jobs");
            }
        }
        if ((changedField("startTime") || changedField("completionTime"))
                && start.isPresent()
                && end.isPresent()
                && end.text().compareTo(start.text()) < 0) {
            end.invalid("must be equal to or after `startTime`");
        }
    }

    private void checkFinished() {
        boolean just = isFinished(object) != isFinished(old);
        var active = status.at("active");
        if (active.number() > 0 && (just || changedField("active"))) {
            active.invalid("active>0 is invalid for finished job");
        }
        boolean neverStarts = object.flag("spec", "suspend") && object.integerOr(-1, "spec", "completions") == 0;
        var start = status.at("startTime");
        if (!start.isPresent() && (just || changedField("startTime")) && !neverStarts) {
            start.required("startTime is required for finished job");
        }
        var uncounted = status.at("uncountedTerminatedPods");
        if (uncounted.at("failed").size() + uncounted.at("succeeded").size() > 0
                && (just || changedField("uncountedTerminatedPods"))) {
            uncounted.invalid("must be empty for finished job");
        }
        var terminating = status.at("terminating");
        if (terminating.number() > 0 && (just || changedField("terminating"))) {
            terminating.invalid("terminating>0 is invalid for finished job");
        }
    }

    private void checkIndexes() {
        var completed = status.at("completedIndexes");
        var failed = status.at("failedIndexes");
        boolean perIndex = object.at("spec", "backoffLimitPerIndex") != null;
        if (changedField("completedIndexes")) {
            checkFormat(completed, "completedIndexes");
            if (!completed.isEmpty() && !object.string("spec", "completionMode").equals("Indexed")) {
                completed.invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
            }
        }
        if (changedField("failedIndexes")) {
            if (perIndex) {
                checkFormat(failed, "failedIndexes");
            } else if (failed.isPresent()) {
                failed.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
            }
        }
        if (changedField("failedIndexes") || changedField("completedIndexes")) {
            checkOverlap(completed, failed);
        }
        var ready = status.at("ready");
        if (ready.isPresent()
                && ready.number() > status.at("active").number()
                && (changedField("ready") || changedField("active"))) {
            ready.invalid("cannot set more ready pods than active");
        }
    }

    private void checkFormat(Field indexes, String name) {
        if (object.at("spec", "completions") instanceof Json.Int(var completions)) {
            try {
                JobIndexes.parse(indexes.text(), completions);
            } catch (JobIndexes.Malformed e) {
                indexes.invalid("error parsing " + name + ": " + e.text());
            }
        }
    }

    private void checkOverlap(Field completed, Field failed) {
        if (object.at("spec", "completions") instanceof Json.Int(var completions)) {
            try {
                JobIndexes.parse(completed.text(), completions)
                        .overlap(JobIndexes.parse(failed.text(), completions))
                        .ifPresent(index ->
                                failed.invalid("failedIndexes and completedIndexes overlap at index: " + index));
            } catch (JobIndexes.Malformed e) {
                // What does not parse was reported by the check of its format.
                return;
            }
        }
    }

    private void checkChange() {
        for (var terminal : List.of("Failed", "Complete", "FailureTarget")) {
            if (is(old, terminal) && !is(object, terminal)) {
                refuseConditions("cannot disable the terminal " + terminal + "=True condition");
            }
        }
        refuseDecrease("failed");
        boolean scalable = object.string("spec", "completionMode").equals("Indexed")
                && Field.same(object.at("spec", "completions"), object.at("spec", "parallelism"));
        if (!scalable) {
            refuseDecrease("succeeded");
        }
        checkTimeChange();
        if (is(old, "SuccessCriteriaMet") && !is(object, "SuccessCriteriaMet")) {
            refuseConditions("cannot disable the SuccessCriteriaMet=True condition");
        }
        if (is(old, "Complete") && !is(old, "SuccessCriteriaMet") && is(object, "SuccessCriteriaMet")) {
            refuseConditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }

    private void refuseDecrease(String counter) {
        if (status.at(counter).number() < oldStatus.integer(counter)) {
            errors.invalid(
                    status.path().child(counter),
                    Json.of(status.at(counter).number()),
                    "cannot decrease the " + counter + " counter");
        }
    }

    private void checkTimeChange() {
        var end = status.at("completionTime");
        if (end.isPresent() && oldStatus.has("completionTime") && changedField("completionTime")) {
            end.invalid("field is immutable");
        }
        boolean resuming = is(old, "Suspended") && !is(object, "Suspended");
        var start = status.at("startTime");
        if (oldStatus.has("startTime") && changedField("startTime") && !resuming && !object.flag("spec", "suspend")) {
            (start.isPresent() ? start : start.with(Json.Null.NULL))
                    .invalid("field is immutable for unsuspended job once set");
        }
    }
}
