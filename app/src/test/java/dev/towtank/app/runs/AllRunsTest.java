package dev.towtank.app.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.client.FakeApi;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllRunsTest {
    private static final RunFilter ALL =
            new RunFilter("", Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Integer.MAX_VALUE);

    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata: {name: build, namespace: shop, uid: u1}
            status:
              startTime: "2026-03-01T10:00:00Z"
              completionTime: "2026-03-01T10:00:02Z"
              conditions: [{type: Succeeded, status: "True", reason: Succeeded}]
            """;

    @TempDir
    Path root;

    @Test
    void aRunOnTheServerThatIsRememberedIsShownOnceAndAsItWasSeen() throws Exception {
        var history = new RunHistory(root);
        var directory = history.begin("build");
        Files.createDirectories(directory.logs().resolve("build-unit"));
        Files.writeString(directory.logs().resolve("build-unit/test.log"), "hello\n");
        var summary = (Json.Obj)
                YamlText.parse("{started: \"2026-03-01T10:00:00.1Z\", finished: \"2026-03-01T10:00:01.7Z\"}");
        var run = (Json.Obj) YamlText.parse(RUN);
        directory.write(new RunRecord("build", summary, Resource.of(run), List.of(), List.of(), List.of()));
        try (var api = new FakeApi();
                var client = api.client()) {
            api.with("/apis/tekton.dev/v1/taskruns", "{items: []}")
                    .with("/apis/tekton.dev/v1/pipelineruns", "{items: [" + JsonText.write(run) + "]}")
                    .with("/apis/tekton.dev/v1/namespaces/shop/pipelineruns/build", "{}");
            var runs = new AllRuns(Optional.of(new ServerRuns(client)), history);
            var found = runs.list(ALL);

            assertThat(found).extracting(FoundRun::where).containsExactly(FoundRun.Where.LIVE);
            assertThat(found.getFirst().took()).contains(Duration.ofMillis(1600));
            var lines = new ArrayList<String>();
            runs.log(found.getFirst(), lines::add);
            assertThat(lines).containsExactly("[build-unit : test] hello");

            runs.remove(found.getFirst());
            assertThat(history.all()).isEmpty();
        }
    }
}
