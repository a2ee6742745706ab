package dev.towtank.node.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.patch.MergePatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulingTest {

    private static final Json.Obj NODE = yaml("""
            metadata: {name: n1, labels: {disk: ssd, size: "5", kubernetes.io/hostname: n1}}
            status: {allocatable: {cpu: "2", memory: 4Gi, pods: "3"}}
            """);

    private static final Map<String, Json.Obj> CLAIMS = Map.of(
            "now", yaml("{spec: {storageClassName: now}, status: {phase: Pending}}"),
            "later", yaml("{spec: {storageClassName: later}, status: {phase: Pending}}"),
            "bound", yaml("{spec: {storageClassName: now}, status: {phase: Bound}}"),
            "single", yaml("{spec: {accessModes: [ReadWriteOncePod]}, status: {phase: Bound}}"));

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    @TestFactory
    Stream<DynamicTest> decides() throws IOException {
        try (var input = SchedulingTest.class.getResourceAsStream("cases.yaml")) {
            return YamlText.parseAll(input.readAllBytes()).stream()
                    .map(Json.Obj.class::cast)
                    .map(given -> DynamicTest.dynamicTest(given.string("case"), () -> check(given)));
        }
    }

    private static void check(Json.Obj given) {
        var usage = new Usage();
        int count = 0;
        for (var other : given.objects("others")) {
            var node = other.string("spec", "nodeName");
            usage.add(
                    Resource.of(MergePatch.apply(other, yaml("{metadata: {uid: other" + count++ + "}}"))),
                    node.isEmpty() ? "n1" : node);
        }
        var nodes = new ArrayList<Resource>();
        nodes.add(Resource.of(MergePatch.apply(NODE, given.object("node"))));
        given.objects("further").forEach(node -> nodes.add(Resource.of(MergePatch.apply(NODE, node))));
        var decision = Scheduling.decide(Resource.of(given.object("pod")), nodes, usage, new Claimed());
        var one = nodes.size() == 1;
        var shown = switch (decision) {
            case Decision.Bind(var node) -> one ? "bind" : "bind to " + node;
            case Decision.ChooseFor(var node, var claims) ->
                "choose " + (one ? "" : node + " for ") + String.join(" ", claims);
            case Decision.Unschedulable(var message) -> message;
        };
        assertThat(shown).isEqualTo(given.string("expect"));
    }

    private static final class Claimed implements Storage {
        @Override
        public Optional<Resource> claim(Resource pod, String name) {
            return Optional.ofNullable(CLAIMS.get(name))
                    .map(json -> Resource.of(json.with("metadata", Json.Obj.of("name", Json.of(name)))));
        }

        @Override
        public Optional<Resource> storageClass(Resource claim) {
            var mode = claim.spec().string("storageClassName").equals("later") ? "WaitForFirstConsumer" : "Immediate";
            return Optional.of(Resource.of(Json.Obj.of("volumeBindingMode", Json.of(mode))));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {spec: {schedulerName: default-scheduler}}                                       | true
            {spec: {schedulerName: mine}}                                                    | false
            {spec: {schedulerName: default-scheduler, nodeName: n1}}                         | false
            {spec: {schedulerName: default-scheduler, schedulingGates: [{name: g}]}}         | false
            {spec: {schedulerName: default-scheduler}, status: {phase: Failed}}              | false
            {metadata: {deletionTimestamp: "x"}, spec: {schedulerName: default-scheduler}}   | false
            """)
    void leavesAloneWhatIsNotItsOwn(String pod, boolean waits) {
        assertThat(Scheduling.waits(Resource.of(yaml(pod)))).isEqualTo(waits);
    }
}
