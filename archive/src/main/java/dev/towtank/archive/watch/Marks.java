package dev.towtank.archive.watch;

import dev.towtank.archive.store.Digests;
import dev.towtank.archive.store.Ids;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/// How a run is named in the archive, and the annotations that say so on the run.
final class Marks {

    static final String PREFIX = "results.tekton.dev/";
    static final String RESULT = PREFIX + "result";
    static final String RECORD = PREFIX + "record";
    static final String LOG = PREFIX + "log";
    static final String EVENTS = PREFIX + "eventlist";
    static final String STORED = PREFIX + "stored";
    static final String CHILD_READY = PREFIX + "childReadyForDeletion";
    static final String RESULT_ANNOTATIONS = PREFIX + "resultAnnotations";
    static final String SUMMARY_ANNOTATIONS = PREFIX + "recordSummaryAnnotations";

    private static final List<String> OURS = List.of(RESULT, RECORD, LOG, EVENTS, STORED, CHILD_READY);
    /// A deletion counts the generation up, too.
    private static final List<String> PASSING = List.of(
            "resourceVersion",
            "generation",
            "managedFields",
            "finalizers",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");
    private static final String EVENT_ID = "triggers.tekton.dev/triggers-eventid";
    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,63}");

    private Marks() {}

    /// The name of the Result that a run belongs to. What an annotation says counts only in the run's own namespace:
    /// nobody writes into another's.
    static String result(Resource run) {
        var start = run.namespace() + "/results/";
        var annotated = run.annotations().getOrDefault(RESULT, "");
        if (annotated.startsWith(start) && isName(annotated.substring(start.length()))) {
            return annotated.substring(start.length());
        }
        var event = run.labels().getOrDefault(EVENT_ID, "");
        if (isName(event)) {
            return event;
        }
        return run.owners().stream()
                .filter(owner -> owner.kind().equals("PipelineRun"))
                .map(Resource.Owner::uid)
                .findFirst()
                .orElse(run.uid());
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    static boolean isTopLevel(Resource run) {
        return run.owners().isEmpty();
    }

    static String record(Resource run) {
        return run.uid();
    }

    static String log(Resource run, String resultId) {
        return Ids.named(UUID.fromString(resultId), run.uid());
    }

    static String events(Resource run, String resultId) {
        return Ids.named(UUID.fromString(resultId), run.uid() + "eventlist");
    }

    /// All annotations of a run that is archived for good, except what makes a child ready.
    static Map<String, String> annotations(Resource run, String result, boolean events) {
        var id = Ids.ofResult(run.namespace(), result);
        var name = run.namespace() + "/results/" + result;
        var all = new LinkedHashMap<String, String>();
        all.put(RESULT, name);
        all.put(RECORD, name + "/records/" + record(run));
        if (!run.kind().equals("CustomRun")) {
            all.put(LOG, name + "/logs/" + log(run, id));
        }
        if (events) {
            all.put(EVENTS, name + "/records/" + events(run, id));
        }
        all.put(STORED, "true");
        if (!isTopLevel(run)) {
            all.put(CHILD_READY, "true");
        }
        return all;
    }

    /// Of what a run says, without what archiving it changes.
    ///
    /// @param whole with its log, and so for good
    static String digest(Resource run, boolean whole) {
        var metadata = run.metadata();
        for (var field : PASSING) {
            metadata = metadata.without(field);
        }
        for (var annotation : OURS) {
            metadata = metadata.without(List.of("annotations", annotation));
        }
        if (metadata.object("annotations").size() == 0) {
            metadata = metadata.without("annotations");
        }
        var said = run.json().with("metadata", metadata);
        return Digests.of(Json.Obj.of("whole", Json.of(whole), "run", said));
    }
}
