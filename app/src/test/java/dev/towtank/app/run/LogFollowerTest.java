package dev.towtank.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.run.view.RunState;
import dev.towtank.app.run.view.RunState.Attempt;
import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFollowerTest {
    private final List<String> lines = new ArrayList<>();

    private String copy(String text) throws IOException {
        var file = new ByteArrayOutputStream();
        LogFollower.copy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), file, lines::add);
        return file.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLogBecomesLinesAndTheFileGetsAllOfIt() throws IOException {
        assertThat(copy("one\r\n\ntwo ü\nno end")).isEqualTo("one\r\n\ntwo ü\nno end");
        assertThat(lines).containsExactly("one", "", "two ü", "no end");
    }

    @Test
    void aLineWithoutEndIsToldInParts() throws IOException {
        var text = "x".repeat(200_000);

        assertThat(copy(text)).isEqualTo(text);
        assertThat(String.join("", lines)).isEqualTo(text);
        assertThat(lines).hasSize(4);
    }

    /// What each container of each pod has said.
    private static PodAccess saying(Map<String, String> logs) {
        return new PodAccess() {
            @Override
            public InputStream log(Resource pod, LogRequest request) {
                var text = logs.get(pod.name() + "/" + request.container());
                return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public Session exec(Resource pod, ExecRequest request) {
                return NONE.exec(pod, request);
            }

            @Override
            public Session attach(Resource pod, ExecRequest request) {
                return NONE.attach(pod, request);
            }

            @Override
            public Connection connect(Resource pod, int port) {
                return NONE.connect(pod, port);
            }
        };
    }

    @Test
    void anAttemptThatWasOverBeforeItWasSeenIsReadAllTheSame(@TempDir Path directory) throws Exception {
        var ended = new LinkedBlockingQueue<String>();
        var pods = saying(Map.of("first/step-a", "one\n", "second/step-a", "two\n"));
        var step = new Step("a", "step-a", Phase.SUCCEEDED, Optional.empty(), Optional.empty(), OptionalInt.of(0), "");
        var run = new Run(
                "ci-a",
                "",
                "second",
                Phase.SUCCEEDED,
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(new Attempt("first", List.of(step))),
                1,
                "",
                List.of(step),
                List.of());
        var state = new RunState(
                "ci",
                "default",
                "PipelineRun",
                "",
                Phase.RUNNING,
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(new Task("a", false, Phase.SUCCEEDED, List.of(), "", List.of(run))),
                Json.Obj.EMPTY);
        try (var follower = new LogFollower(
                name -> Optional.of(Resource.of(Json.Obj.of("metadata", Json.Obj.of("name", Json.of(name.name()))))),
                pods,
                directory,
                _ -> {},
                ended::add)) {
            follower.follow(state);

            assertThat(List.of(ended.take(), ended.take())).containsExactlyInAnyOrder("first/step-a", "second/step-a");
        }
        assertThat(directory.resolve("ci-a/a.log")).hasContent("one\n");
        assertThat(directory.resolve("ci-a-retry-1/a.log")).hasContent("two\n");
    }
}
