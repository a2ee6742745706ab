package dev.towtank.controllers.testclusters.api;

import dev.towtank.cluster.Plan;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The attempts to make the cluster of a deployment, each a ClusterProvision.
public record Provisions(Resource deployment, List<Resource> all) {

    /// On a ClusterDeployment: after the first failure it is waited for so long, and then twice as long each time.
    private static final String UNIT = "towtank.dev/retry-unit";

    private static final Duration USUAL_UNIT = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final int MOST_DOUBLINGS = 20;
    private static final int LONGEST_LOG = 128 << 10;

    public Provisions {
        all = all.stream()
                .sorted(Comparator.comparingLong(each -> each.spec().integer("attempt")))
                .toList();
    }

    public int failures() {
        return (int) all.stream()
                .filter(each -> each.spec().string("stage").equals("failed"))
                .count();
    }

    public boolean isExhausted() {
        return deployment.spec().has("installAttemptsLimit")
                && failures() >= deployment.spec().integer("installAttemptsLimit");
    }

    /// When the next attempt may begin; at once where there was none.
    public Optional<Instant> next() {
        int failures = failures();
        if (failures == 0) {
            return Optional.empty();
        }
        var unit = unit(deployment.annotations().getOrDefault(UNIT, ""));
        var wait = unit.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return all.getLast()
                .creationTimestamp()
                .map(moment -> moment.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait));
    }

    private static Duration unit(String text) {
        try {
            return text.isEmpty() ? USUAL_UNIT : Durations.parse(text);
        } catch (Durations.Malformed e) {
            return USUAL_UNIT;
        }
    }

    public Plan failed(String log) {
        return Plan.none().create(ClusterKinds.PROVISION, object("failed", log));
    }

    /// Once: whoever decides again may know of the attempt, and not yet of what followed from it.
    public Plan completed() {
        return isComplete() ? Plan.none() : Plan.none().create(ClusterKinds.PROVISION, object("complete", ""));
    }

    private boolean isComplete() {
        return all.stream().anyMatch(each -> each.spec().string("stage").equals("complete"));
    }

    /// A function of deployment and attempt, so that none is written down twice.
    private String name(int attempt) {
        var hash = HexFormat.of()
                .formatHex(Sha256.of((deployment.uid() + attempt).getBytes(StandardCharsets.UTF_8)))
                .substring(0, 5);
        return deployment.name() + "-" + attempt + "-" + hash;
    }

    private Resource object(String stage, String log) {
        int attempt = all.size();
        var metadata = Objects.owned(Objects.named(deployment.namespace(), name(attempt)), deployment)
                .with("labels", Json.Obj.of("hive.openshift.io/cluster-deployment-name", Json.of(deployment.name())));
        var spec = Json.Obj.builder()
                .put("clusterDeploymentRef", Objects.reference(deployment.name()))
                .put("attempt", Json.of(attempt))
                .put("stage", stage)
                .putNonEmpty("installLog", log.length() > LONGEST_LOG ? log.substring(log.length() - LONGEST_LOG) : log)
                .build();
        return Objects.of(ClusterKinds.PROVISION, LogicalCluster.DEFAULT, metadata, "spec", spec);
    }

    /// What a status says of them.
    public Json.Obj told(Json.Obj status) {
        var counted = status.with("installRestarts", Json.of(Math.max(0, all.size() - 1)));
        return all.isEmpty()
                ? counted
                : counted.with("provisionRef", Objects.reference(all.getLast().name()));
    }
}
