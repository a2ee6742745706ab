package dev.towtank.app.runs;

import dev.towtank.app.client.ApiClient;
import dev.towtank.app.client.RunLogs;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs that a server has, and those that it has archived.
public final class ServerRuns {

    private static final String RESULTS = "/apis/results.tekton.dev/v1alpha2/parents/";
    private static final int PAGE = 500;
    private static final int MOST_PAGES = 200;

    private final ApiClient client;

    public ServerRuns(ApiClient client) {
        this.client = client;
    }

    List<FoundRun> live(RunFilter filter) {
        var found = new ArrayList<FoundRun>();
        for (var kind :
                Map.of("PipelineRun", "pipelineruns", "TaskRun", "taskruns").entrySet()) {
            var base = "/apis/tekton.dev/v1/"
                    + (filter.namespace().isEmpty() ? "" : "namespaces/" + encoded(filter.namespace()) + "/");
            for (var item : client.get(base + kind.getValue()).objects("items")) {
                var object = item.with("kind", Json.of(kind.getKey()));
                if (isOnItsOwn(object)) {
                    found.add(new FoundRun(
                            FoundRun.Where.LIVE, object.string("metadata", "name"), object, "", Optional.empty()));
                }
            }
        }
        return found;
    }

    private static boolean isOnItsOwn(Json.Obj run) {
        return run.objects("metadata", "ownerReferences").stream()
                .noneMatch(owner -> owner.string("kind").equals("PipelineRun"));
    }

    /// Nothing where nothing is archived.
    List<FoundRun> archived(RunFilter filter) {
        var found = new ArrayList<FoundRun>();
        var token = "";
        int matching = 0;
        for (int page = 0; page < MOST_PAGES && matching < filter.limit(); page++) {
            var answer = records(filter, token);
            for (var record : answer.objects("records")) {
                var run = run(record);
                if (isOnItsOwn(run.object())) {
                    found.add(run);
                    matching += filter.matches(run) ? 1 : 0;
                }
            }
            token = answer.string("next_page_token");
            if (token.isEmpty()) {
                break;
            }
        }
        return found;
    }

    private Json.Obj records(RunFilter filter, String token) {
        var wanted = "(data_type == \"tekton.dev/v1.PipelineRun\" || data_type == \"tekton.dev/v1.TaskRun\")"
                + filter.pipeline()
                        .map(name ->
                                " && data.metadata.labels[\"tekton.dev/pipeline\"] == " + JsonText.write(Json.of(name)))
                        .orElse("");
        var parent = filter.namespace().isEmpty() ? "-" : encoded(filter.namespace());
        try {
            return client.get(RESULTS + parent + "/results/-/records?order_by=" + encoded("create_time desc")
                    + "&page_size=" + PAGE + "&filter=" + encoded(wanted)
                    + (token.isEmpty() ? "" : "&page_token=" + encoded(token)));
        } catch (StatusError e) {
            if (e.code() == 404 || e.code() == 503) {
                return Json.Obj.EMPTY;
            }
            throw e;
        }
    }

    private static FoundRun run(Json.Obj record) {
        var data = new String(Base64.getDecoder().decode(record.string("data", "value")), StandardCharsets.UTF_8);
        var object = JsonText.parseObject(data);
        // NAMESPACE/results/RESULT/records/NAME
        var names = record.string("name").split("/", -1);
        return new FoundRun(
                FoundRun.Where.ARCHIVED, object.string("metadata", "name"), object, names[2], Optional.empty());
    }

    /// As it is printed: each line with its task and step before it.
    void log(FoundRun run, Lines lines) throws IOException, InterruptedException {
        if (run.where() == FoundRun.Where.ARCHIVED) {
            var path = RESULTS + encoded(run.namespace()) + "/results/" + run.result() + "/logs/" + run.uid();
            try (var text = client.stream(path)) {
                copy(text, lines);
            } catch (StatusError e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
            return;
        }
        try (var out = new PrintStream(new LineOutput(lines), true, StandardCharsets.UTF_8)) {
            var options = new RunLogs.Options(run.namespace(), false, List.of(), true, -1);
            var word = (run.kind().equals("PipelineRun") ? "pr/" : "tr/") + run.id();
            var _ = new RunLogs(
                            client,
                            options,
                            out,
                            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8))
                    .show(word);
        }
    }

    /// Takes lines, one by one.
    @FunctionalInterface
    interface Lines {
        void line(String text);
    }

    static void copy(InputStream text, Lines lines) throws IOException {
        try (var out = new LineOutput(lines)) {
            text.transferTo(out);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    void delete(FoundRun run) {
        var plural = run.kind().equals("PipelineRun") ? "pipelineruns" : "taskruns";
        client.send(
                "DELETE",
                "/apis/tekton.dev/v1/namespaces/" + encoded(run.namespace()) + "/" + plural + "/" + encoded(run.id()),
                "application/json",
                Json.Obj.EMPTY);
    }
}
