package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.client.RunCancel.Way;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCancelTest {
    private static final String RUN = "/apis/tekton.dev/v1/namespaces/shop/pipelineruns/build";
    private static final String TASK_RUN = "/apis/tekton.dev/v1/namespaces/shop/taskruns/unit";

    private static String cancel(FakeApi api, String word, Way way) {
        try (var client = api.client()) {
            return new RunCancel(client, "shop").cancel(word, way, false);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CANCEL, Cancelled, cancelled",
        "CANCEL_THEN_FINALLY, CancelledRunFinally, cancelled",
        "STOP, StoppedRunFinally, stopped"
    })
    void tellsTektonHow(Way way, String status, String word) throws Exception {
        try (var api = new FakeApi().with(RUN, "{metadata: {name: build}}")) {
            assertThat(cancel(api, "build", way)).isEqualTo("PipelineRun build is being " + word + ".");
            assertThat(api.requests).contains("PATCH " + RUN + " {\"spec\":{\"status\":\"" + status + "\"}}");
        }
    }

    @Test
    void aTaskRunHasAWordOfItsOwn() throws Exception {
        try (var api = new FakeApi().with(TASK_RUN, "{metadata: {name: unit}}")) {
            cancel(api, "tr/unit", Way.CANCEL);
            assertThat(api.requests).contains("PATCH " + TASK_RUN + " {\"spec\":{\"status\":\"TaskRunCancelled\"}}");
            assertThatThrownBy(() -> cancel(api, "tr/unit", Way.STOP)).hasMessageContaining("no finally tasks");
        }
    }

    @Test
    void whatHasEndedCannotBeCancelled() throws Exception {
        try (var api = new FakeApi().with(RUN, """
            {metadata: {name: build}, status: {conditions: [{type: Succeeded, status: "True", reason: Completed}]}}
            """)) {
            assertThatThrownBy(() -> cancel(api, "build", Way.CANCEL))
                    .hasMessage("PipelineRun build has ended already: Completed.");
        }
    }
}
