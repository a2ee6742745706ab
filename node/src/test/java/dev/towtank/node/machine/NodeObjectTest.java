package dev.towtank.node.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.node.sandbox.Abilities;
import dev.towtank.node.sandbox.Abilities.LimitsBy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeObjectTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Machine MACHINE = new Machine(
            "rock", "192.0.2.1", 3, 5L << 30, 7L << 30, "machine", "boot", "6.1.0", "Debian GNU/Linux 12", "amd64");

    private static Json.Obj status(boolean isolated, List<String> missing, Json.Obj old, Instant now) {
        var abilities = new Abilities(isolated, LimitsBy.CGROUP, LimitsBy.CGROUP, LimitsBy.CGROUP, missing);
        var offer = new NodeObject.Offer(MACHINE, new NamedNode("rock", Map.of()), false, 110, "1.2.3", abilities);
        return NodeObject.status(offer, old, now);
    }

    private static Json.Obj condition(Json.Obj status, String type) {
        return status.objects("conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tellsTheTrueCapacity() {
        var capacity = status(true, List.of(), Json.Obj.EMPTY, NOW).object("capacity");

        assertThat(capacity.string("cpu")).isEqualTo("3");
        assertThat(capacity.string("memory")).isEqualTo("5Gi");
        assertThat(capacity.string("ephemeral-storage")).isEqualTo("7Gi");
        assertThat(capacity.string("pods")).isEqualTo("110");
    }

    @Test
    void tellsWhatIsolatesPodsAndWhatIsMissing() {
        var good = condition(status(true, List.of(), Json.Obj.EMPTY, NOW), "Isolated");
        assertThat(good.string("status")).isEqualTo("True");
        assertThat(good.string("message")).isEqualTo("pods are sandboxed");

        var less = condition(status(true, List.of("No CPU limits.", "No filter."), Json.Obj.EMPTY, NOW), "Isolated");
        assertThat(less.string("status")).isEqualTo("True");
        assertThat(less.string("message")).isEqualTo("No CPU limits. No filter.");

        var none = condition(status(false, List.of(), Json.Obj.EMPTY, NOW), "Isolated");
        assertThat(none.string("status")).isEqualTo("False");
        assertThat(none.string("reason")).isEqualTo("UnsafeHost");
    }

    @Test
    void conditionsKeepTheTimeOfTheirLastChange() {
        var first = status(true, List.of(), Json.Obj.EMPTY, NOW);
        var later = status(false, List.of(), first, NOW.plusSeconds(60));

        assertThat(condition(later, "Ready").string("lastTransitionTime")).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(condition(later, "Isolated").string("lastTransitionTime")).isEqualTo("2026-03-01T10:01:00Z");
    }
}
