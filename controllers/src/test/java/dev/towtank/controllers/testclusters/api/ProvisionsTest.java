package dev.towtank.controllers.testclusters.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvisionsTest {

    private static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    private static Provisions provisions(String stages) {
        var each = stages.split(" ", -1);
        return new Provisions(
                object("{metadata: {name: one, namespace: here, uid: u}, spec: {}}"),
                stages.isEmpty()
                        ? List.of()
                        : IntStream.range(0, each.length)
                                .mapToObj(i -> object(
                                        "{metadata: {name: one-%d, namespace: here}, spec: {attempt: %d, stage: %s}}"
                                                .formatted(i, i, each[i])))
                                .toList());
    }

    /// A cluster is made once, whatever a cache knows when it is decided again.
    @ParameterizedTest
    @CsvSource({"'', 1", "failed, 1", "failed failed, 1", "complete, 0", "failed complete, 0"})
    void aSuccessIsWrittenDownOnce(String stages, int written) {
        assertThat(provisions(stages).completed().changes()).hasSize(written);
    }
}
