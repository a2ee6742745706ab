package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.ReadOnlyCluster;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveObjectsTest {

    private final FakeTimers timers = new FakeTimers();
    private final ReadOnlyCluster cluster = new ReadOnlyCluster(new FakeCluster(timers));
    private final LiveObjects live = new LiveObjects(cluster, new KnownKinds(cluster, List::of), new Nobody(), timers);

    private static final class Nobody implements LiveObjects.Company {
        @Override
        public void meet(LogicalCluster place, Kind<?> kind) {
            // follows nothing
        }

        @Override
        public String lastWords(LogicalCluster place, Json.Obj object) {
            return "";
        }
    }

    private Optional<Managed.Refusal> refusal(String value) {
        var target = (Json.Obj) YamlText.parse(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: d}, data: {key: " + value + "}}");
        return live.wanted(LogicalCluster.DEFAULT, target, new Differences(List.of()), false, HealthRules.BUILT_IN)
                .refusal();
    }

    @Test
    void whatTheServerWouldTakeIsTriedOnceForAWhileAndWhatItWouldNotIsTriedEachTime() {
        assertThat(refusal("one")).isPresent();
        cluster.open();
        assertThat(refusal("one")).isEmpty();
        cluster.shut();
        assertThat(refusal("one")).isEmpty();
        assertThat(refusal("other")).as("nobody has tried this").isPresent();
        timers.advance(Duration.ofSeconds(11));
        assertThat(refusal("one")).isPresent();
    }

    @Test
    void whatIsNoLongerBelievedIsNotKept() {
        cluster.open();
        refusal("one");
        refusal("two");
        assertThat(live.believed()).isEqualTo(2);
        timers.advance(Duration.ofSeconds(11));
        refusal("three");
        assertThat(live.believed()).isEqualTo(1);
    }
}
