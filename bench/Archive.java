import dev.towtank.archive.api.Request;
import dev.towtank.archive.api.ResultsApi;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Bundle;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/// An archive with many runs of two steps each: how fast they come in, what lists, filters and logs take, and how much
/// room a run has on the disk.
final class Archive {

    private static final String BASE = "/apis/results.tekton.dev/v1alpha2/parents/";
    private static final int DOUBLINGS = 4;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final ResultsApi api;
    private final Random random = new Random(1);

    private Archive(dev.towtank.archive.store.Archive archive) {
        this.api = new ResultsApi(archive, (_, _, _, _) -> true, new byte[32]);
    }

    public static void main(String[] arguments) throws Exception {
        var url = arguments[0];
        int count = Integer.parseInt(arguments[1]);
        try (var database = Database.open(url)) {
            var archive = new dev.towtank.archive.store.Archive(
                    database, InstantSource.system(), dev.towtank.archive.store.Archive.Limits.DEFAULT);
            // The first ones count for the rate; in a file they are then doubled, as nobody waits for all of them.
            int doublings = url.startsWith("jdbc:sqlite:") ? DOUBLINGS : 0;
            int first = count >> doublings;
            double rate = Stopwatch.perSecond(i -> archive.store(bundle(i)), first, 4);
            print("archived, runs a second, of " + first, rate, "");
            for (int i = 0; i < doublings; i++) {
                doubled(database, String.valueOf((char) ('a' + i)), first * (1L << i));
            }
            new Archive(archive).reads(first);
        }
        if (url.startsWith("jdbc:sqlite:")) {
            var file = Path.of(url.substring("jdbc:sqlite:".length()));
            print("on the disk, a run", Files.size(file) / 1024.0 / count, "KB");
        }
    }

    /// Once more all that is there, under other names and later.
    private static void doubled(Database database, String mark, long seconds) {
        long later = seconds * 1_000_000;
        database.write(session -> {
            session.update(Sql.of(
                    "INSERT INTO results SELECT parent, id || ?, name || ?, annotations, created_time + ?, updated_time + ?,"
                            + " recordsummary_record, recordsummary_type, recordsummary_start_time, recordsummary_end_time,"
                            + " recordsummary_status, recordsummary_annotations, etag FROM results",
                    mark, mark, later, later));
            session.update(Sql.of(
                    "INSERT INTO records SELECT parent, result_id || ?, result_name || ?, id || ?, name || ?, type,"
                            + " replace(data, '\"name\":\"build-', '\"name\":\"' || ? || '-build-'), digest, created_time + ?,"
                            + " updated_time + ?, etag FROM records",
                    mark, mark, mark, mark, mark, later, later));
            session.update(Sql.of(
                    "INSERT INTO logs SELECT parent, result_id || ?, record_id || ?, position, task, step, content_id || ?,"
                            + " size, state FROM logs",
                    mark, mark, mark));
            session.update(Sql.of(
                    "INSERT INTO log_chunks SELECT content_id || ?, position, staged_time, content FROM log_chunks", mark));
            return true;
        });
    }

    private void reads(int count) throws Exception {
        var halfway = "timestamp(\"" + BEGIN.plusSeconds(count / 2) + "\")";
        measured("a page of 50, newest first", 200, _ -> list("ns-7", "", "50"));
        measured("by label and time, a page of 50", 200, i -> list(
                "ns-7",
                "data_type == \"tekton.dev/v1.PipelineRun\" && data.metadata.labels[\"team\"] == \"team-" + i % 10
                        + "\" && data.status.completionTime > " + halfway,
                "50"));
        measured("by label and time, all namespaces", 50, i -> list(
                "-",
                "data_type == \"tekton.dev/v1.PipelineRun\" && data.metadata.labels[\"team\"] == \"team-" + i % 10
                        + "\" && data.status.completionTime > " + halfway,
                "50"));
        measured("one run by its name", 200, _ -> {
            int run = random.nextInt(count);
            list(namespace(run), "data.metadata.name == \"build-" + run + "\"", "50");
        });
        measured("one log", 500, _ -> {
            int run = random.nextInt(count);
            send(BASE + namespace(run) + "/results/" + uid(run, 0) + "/logs/" + uid(run, 1), Map.of());
        });
    }

    private interface Read {
        void read(int number) throws Exception;
    }

    private static void measured(String name, int count, Read read) throws Exception {
        Stopwatch.timed(read::read, Math.max(5, count / 10));
        var times = Stopwatch.timed(read::read, count);
        System.out.printf(
                "%-44s %8.2f ms %8.2f ms%n", name + ", p50 and p99", times[count / 2] / 1e6, times[count * 99 / 100] / 1e6);
    }

    private static void print(String name, double value, String unit) {
        System.out.printf("%-44s %8.2f %s%n", name, value, unit);
    }

    private void list(String parent, String filter, String size) throws Exception {
        var query = new HashMap<String, List<String>>();
        query.put("order_by", List.of("create_time desc"));
        query.put("page_size", List.of(size));
        query.put("filter", List.of(filter));
        send(BASE + parent + "/results/-/records", query);
    }

    private void send(String path, Map<String, List<String>> query) throws Exception {
        var caller = new Request.Caller("bench", "", List.of(), Map.of());
        var answer = api.handle(new Request("GET", path, query, "", Optional.of(caller)));
        if (answer.status() != 200) {
            answer.body().writeTo(System.err);
            throw new IllegalStateException(path + " " + answer.status());
        }
        answer.body().writeTo(OutputStream.nullOutputStream());
    }

    private static String namespace(int run) {
        return "ns-" + run % 20;
    }

    private static String uid(int run, int part) {
        return new UUID(run, part).toString();
    }

    /// A PipelineRun, its TaskRun, their events, and the logs of two steps.
    private static Bundle bundle(int run) {
        var start = BEGIN.plusSeconds(run);
        var end = start.plusSeconds(40);
        var pipelineRun = object(PIPELINE_RUN, run, start, end);
        var taskRun = object(TASK_RUN, run, start, end);
        var result = uid(run, 0);
        var log = Json.Obj.of("spec", Json.Obj.of("resource", Json.Obj.of("uid", Json.of(uid(run, 1)))));
        return new Bundle(
                namespace(run),
                result,
                Json.Obj.EMPTY,
                Optional.of(new ResultRow.Summary(
                        namespace(run) + "/results/" + result + "/records/" + result,
                        "tekton.dev/v1.PipelineRun",
                        Optional.of(start.toEpochMilli() * 1000),
                        Optional.of(end.toEpochMilli() * 1000),
                        1,
                        Json.Obj.EMPTY)),
                List.of(
                        new Bundle.Item(result, "tekton.dev/v1.PipelineRun", pipelineRun, "d"),
                        new Bundle.Item(uid(run, 2), "tekton.dev/v1.TaskRun", taskRun, "d")),
                List.of(new Bundle.Log(
                        uid(run, 1), log, List.of(part(run, "fetch"), part(run, "compile")))));
    }

    private static Bundle.Part part(int run, String step) {
        return new Bundle.Part("build", step, uid(run, 0) + step, () -> {
            var text = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                text.append("[INFO] ").append(step).append(" of run ").append(run).append(": file ")
                        .append(run * 31 + i).append(" of module ").append(i % 7).append(" is done\n");
            }
            return Optional.of(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
        });
    }

    private static Json.Obj object(String template, int run, Instant start, Instant end) {
        return JsonText.parseObject(template
                .replace("NUMBER", String.valueOf(run))
                .replace("TEAM", "team-" + run / 20 % 10)
                .replace("NAMESPACE", namespace(run))
                .replace("UID", uid(run, 0))
                .replace("START", start.toString())
                .replace("END", end.toString()));
    }

    private static final String PIPELINE_RUN = """
            {"apiVersion":"tekton.dev/v1","kind":"PipelineRun","metadata":{"name":"build-NUMBER","namespace":"NAMESPACE","uid":"UID",
             "creationTimestamp":"START","generateName":"build-","labels":{"tekton.dev/pipeline":"build","team":"TEAM",
             "pipelinesascode.tekton.dev/repository":"app","pipelinesascode.tekton.dev/sha":"c0ffee0123456789NUMBER"},
             "annotations":{"results.tekton.dev/result":"NAMESPACE/results/UID","results.tekton.dev/record":"NAMESPACE/results/UID/records/UID"}},
             "spec":{"params":[{"name":"revision","value":"c0ffee0123456789NUMBER"}],"pipelineRef":{"name":"build"},
             "taskRunTemplate":{"serviceAccountName":"pipeline"},"timeouts":{"pipeline":"1h0m0s"}},
             "status":{"startTime":"START","completionTime":"END",
             "conditions":[{"type":"Succeeded","status":"True","reason":"Succeeded","lastTransitionTime":"END",
              "message":"Tasks Completed: 1 (Failed: 0, Cancelled 0), Skipped: 0"}],
             "childReferences":[{"apiVersion":"tekton.dev/v1","kind":"TaskRun","name":"build-NUMBER-build","pipelineTaskName":"build"}],
             "pipelineSpec":{"params":[{"name":"revision","type":"string"}],"tasks":[{"name":"build","taskRef":{"kind":"Task","name":"build"},
             "params":[{"name":"revision","value":"$(params.revision)"}]}]},"provenance":{"featureFlags":{"enableAPIFields":"beta","coschedule":"workspaces",
             "resultExtractionMethod":"termination-message","maxResultSize":4096,"awaitSidecarReadiness":true,"enableProvenanceInStatus":true}}}}""";

    private static final String TASK_RUN = """
            {"apiVersion":"tekton.dev/v1","kind":"TaskRun","metadata":{"name":"build-NUMBER-build","namespace":"NAMESPACE","uid":"t-UID",
             "creationTimestamp":"START","labels":{"tekton.dev/pipeline":"build","tekton.dev/pipelineRun":"build-NUMBER","tekton.dev/pipelineTask":"build",
             "tekton.dev/task":"build","team":"TEAM"},"ownerReferences":[{"apiVersion":"tekton.dev/v1","kind":"PipelineRun","name":"build-NUMBER","uid":"UID",
             "controller":true,"blockOwnerDeletion":true}]},"spec":{"params":[{"name":"revision","value":"c0ffee0123456789NUMBER"}],
             "serviceAccountName":"pipeline","taskRef":{"kind":"Task","name":"build"},"timeout":"1h0m0s"},
             "status":{"startTime":"START","completionTime":"END","podName":"build-NUMBER-build-pod",
             "conditions":[{"type":"Succeeded","status":"True","reason":"Succeeded","lastTransitionTime":"END","message":"All Steps have completed executing"}],
             "steps":[{"container":"step-fetch","name":"fetch","imageID":"busybox","terminated":{"exitCode":0,"reason":"Completed","startedAt":"START","finishedAt":"END"}},
             {"container":"step-compile","name":"compile","imageID":"busybox","terminated":{"exitCode":0,"reason":"Completed","startedAt":"START","finishedAt":"END"}}],
             "taskSpec":{"params":[{"name":"revision","type":"string"}],"steps":[{"name":"fetch","image":"busybox","script":"git clone"},
             {"name":"compile","image":"busybox","script":"make all"}]}}}""";
}
