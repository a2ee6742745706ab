package dev.towtank.controllers.notebooks;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.model.Json;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The wave of an Application that a job is in, and what it writes on itself when that may go on, as the operator does.
/// That a later wave waits for it is its health.
record Wave(NotebookJob job) {

    /// The wave that is not to begin before the job has succeeded.
    static final String BLOCKED = "mlops.dev/block-wave";

    private static final String OWN = "argocd.argoproj.io/sync-wave";
    private static final String COMPLETE = "mlops.dev/wave-complete";
    private static final String FAILED = "mlops.dev/wave-failed";
    private static final String TIME = "mlops.dev/completion-time";
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,9}");

    /// Why nothing could be held up.
    static Optional<String> problem(Map<String, String> annotations) {
        var blocked = annotations.get(BLOCKED);
        if (blocked == null) {
            return Optional.empty();
        }
        if (!NUMBER.matcher(blocked).matches()) {
            return Optional.of("\"" + blocked + "\" is no number of a wave");
        }
        var own = annotations.getOrDefault(OWN, "0");
        return NUMBER.matcher(own).matches() && Integer.parseInt(blocked) <= Integer.parseInt(own)
                ? Optional.of("wave %s does not come after that of the job itself, which is %s".formatted(blocked, own))
                : Optional.empty();
    }

    /// Once the job is over, for those who look at annotations.
    Plan told() {
        var annotations = job.object().annotations();
        if (!annotations.containsKey(OWN) && !annotations.containsKey(BLOCKED)) {
            return Plan.none();
        }
        boolean isGood = job.phase().equals("Succeeded");
        return changed(Map.of(
                isGood ? COMPLETE : FAILED,
                annotations.getOrDefault(OWN, "0"),
                TIME,
                job.status().string("completionTime")));
    }

    /// When the job begins anew: what was said of the last time is not so any more.
    Plan forgotten() {
        return changed(Map.of());
    }

    private Plan changed(Map<String, String> wanted) {
        var annotations = job.object().annotations();
        var fields = Json.Obj.builder();
        for (var name : new String[] {COMPLETE, FAILED, TIME}) {
            var value = wanted.get(name);
            if (value == null && annotations.containsKey(name)) {
                fields.put(name, Json.Null.NULL);
            } else if (value != null && !value.equals(annotations.get(name))) {
                fields.put(name, Json.of(value));
            }
        }
        var change = fields.build();
        return change.size() == 0
                ? Plan.none()
                : Plan.none()
                        .patch(
                                NotebookKinds.JOB,
                                job.object(),
                                Json.Obj.of("metadata", Json.Obj.of("annotations", change)));
    }
}
