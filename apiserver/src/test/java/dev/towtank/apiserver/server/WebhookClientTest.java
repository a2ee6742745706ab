package dev.towtank.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.webhook.WebhookClient;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookClientTest {

    @TempDir
    private Path directory;

    private ConversionServer server;
    private final WebhookClient client = new WebhookClient(JournaledStore.inMemory());

    @BeforeEach
    void start() throws IOException {
        server = new ConversionServer(directory.resolve("pki"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private WebhookClient.Failed failure(String url, String caBundle, Duration timeout) {
        var config = Json.Obj.of("url", Json.of(url), "caBundle", Json.of(caBundle));
        var failed = catchThrowableOfType(
                WebhookClient.Failed.class, () -> client.post(LogicalCluster.DEFAULT, config, Json.Obj.EMPTY, timeout));
        assertThat(failed).isNotNull();
        return failed;
    }

    private String url() {
        return "https://localhost:" + server.port() + "/convert";
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() {
        var never = new CountDownLatch(1);
        server.spoil = answer -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return answer;
        };
        assertThat(failure(url(), server.caBundle(), Duration.ofSeconds(1)).text())
                .isEqualTo("Post \"" + url() + "?timeout=1s\": context deadline exceeded");
        never.countDown();
    }

    @Test
    void aPageThatIsNotThereIsNamed() {
        assertThat(failure(
                                "https://localhost:" + server.port() + "/elsewhere",
                                server.caBundle(),
                                Duration.ofSeconds(9))
                        .text())
                .isEqualTo("the server could not find the requested resource");
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        assertThat(failure("https://127.0.0.2:" + server.port() + "/convert", server.caBundle(), Duration.ofSeconds(9))
                        .text())
                .contains("127.0.0.2");
    }

    @Test
    void certificatesThatAreNoneAreRefused() {
        assertThat(failure(url(), "bm9uZQ==", Duration.ofSeconds(9)).text())
                .isEqualTo("unable to load root certificates: unable to parse bytes as PEM block");
    }
}
