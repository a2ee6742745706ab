package dev.towtank.controllers.testclusters.hive;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Objects;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import dev.towtank.model.kinds.core.Namespaces;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The clusters of a pool, sorted by what can be done with them.
///
/// @param given what is claimed from now on, though it does not say so yet
record PoolClusters(Resource pool, List<Deployment> all, List<Deployment> given, Instant now) {

    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX = 5;

    PoolClusters {
        all = List.copyOf(all);
        given = List.copyOf(given);
    }

    static PoolClusters of(Resource pool, List<Resource> deployments, Instant now) {
        return new PoolClusters(
                pool,
                deployments.stream()
                        .map(Deployment::new)
                        .filter(each -> each.isOf(pool))
                        .sorted(Deployment.OLDEST_FIRST)
                        .toList(),
                List.of(),
                now);
    }

    PoolClusters giving(List<Deployment> some) {
        return new PoolClusters(pool, all, some, now);
    }

    /// Which nobody has, and which stay.
    List<Deployment> unclaimed() {
        return all.stream()
                .filter(each -> !each.isClaimed() && !each.object().isDeleting() && !given.contains(each))
                .toList();
    }

    private Stream<Deployment> good() {
        return unclaimed().stream().filter(each -> !each.isBroken(resumeTimeout(), now));
    }

    List<Deployment> assignable() {
        return good().filter(each -> each.isInstalled() && each.isRunning()).toList();
    }

    List<Deployment> standby() {
        return good().filter(each -> each.isInstalled() && !each.isRunning()).toList();
    }

    private List<Deployment> installing() {
        return good().filter(each -> !each.isInstalled()).toList();
    }

    private List<Deployment> broken() {
        return unclaimed().stream()
                .filter(each -> each.isBroken(resumeTimeout(), now))
                .toList();
    }

    List<Deployment> stale() {
        return unclaimed().stream()
                .filter(each -> !each.object()
                        .annotations()
                        .getOrDefault(Deployment.SPEC_HASH, "")
                        .equals(specHash()))
                .toList();
    }

    private long deleting() {
        return all.stream().filter(each -> each.object().isDeleting()).count();
    }

    private Optional<Duration> resumeTimeout() {
        return Deployment.duration(pool.spec(), "hibernationConfig", "resumeTimeout");
    }

    /// When the next one will have taken too long to wake.
    Optional<Instant> nextBreak(Instant now) {
        return resumeTimeout()
                .flatMap(timeout -> unclaimed().stream()
                        .filter(each -> each.isInstalled() && each.wantsToRun() && !each.isRunning())
                        .flatMap(each -> each.resumingSince().stream())
                        .map(since -> since.plus(timeout))
                        .filter(moment -> moment.isAfter(now))
                        .min(Comparator.naturalOrder()));
    }

    private boolean limits(String field) {
        return pool.spec().get(field) instanceof Json.Int;
    }

    boolean isFull() {
        return limits("maxSize") && all.size() >= pool.spec().integer("maxSize");
    }

    /// How many are to be made for the pool and for those who wait.
    long missing(int waiting) {
        return pool.spec().integer("size") + waiting - unclaimed().size();
    }

    private long room() {
        long room = limits("maxSize") ? pool.spec().integer("maxSize") - all.size() : Long.MAX_VALUE;
        return Math.max(0, Math.min(room, atOnce()));
    }

    /// How many more may be made or taken away at the same time.
    private long atOnce() {
        return limits("maxConcurrent")
                ? Math.max(
                        0, pool.spec().integer("maxConcurrent") - installing().size() - deleting())
                : Long.MAX_VALUE;
    }

    /// As many as there should be: some are made, broken ones replaced, or those go that are furthest from use.
    Plan scaled(int waiting, Instant moment) {
        var changes = new Plan.Builder();
        long missing = missing(waiting);
        if (missing > 0) {
            for (long i = 0; i < Math.min(missing, room()); i++) {
                changes.add(made(moment, i));
            }
        }
        // Where there is no room for more, what is broken makes some.
        if (!broken().isEmpty() && (missing <= 0 || isFull())) {
            broken().stream().limit(atOnce()).forEach(each -> changes.delete(ClusterKinds.DEPLOYMENT, each.object()));
        } else if (missing < 0) {
            Stream.of(installing(), standby(), assignable())
                    .flatMap(List::stream)
                    .limit(Math.min(-missing, atOnce()))
                    .forEach(each -> changes.delete(ClusterKinds.DEPLOYMENT, each.object()));
        } else if (missing == 0 && installing().isEmpty() && deleting() == 0 && !stale().isEmpty()) {
            changes.delete(ClusterKinds.DEPLOYMENT, stale().getFirst().object());
        }
        return changes.build();
    }

    /// The oldest run, as many as are wanted; the rest sleeps.
    Plan powered(int waiting) {
        var changes = new Plan.Builder();
        long running = pool.spec().integer("runningCount") + waiting;
        for (var each : good().filter(Deployment::isInstalled).toList()) {
            boolean shouldRun = running-- > 0;
            if (shouldRun != each.wantsToRun()) {
                var state = shouldRun ? Deployment.RUNNING : Deployment.HIBERNATING;
                changes.patch(
                        ClusterKinds.DEPLOYMENT,
                        each.object(),
                        Json.Obj.of("spec", Json.Obj.of("powerState", Json.of(state))));
            }
        }
        return changes.build();
    }

    private Plan made(Instant moment, long index) {
        var name = pool.name() + "-" + suffix(moment, index);
        var labels = Json.Obj.of(
                DeploymentReconciler.POOL_NAMESPACE,
                Json.of("true"),
                "hive.openshift.io/cluster-pool-name",
                Json.of(pool.name()));
        var namespace = Objects.of(
                Namespaces.KIND,
                LogicalCluster.DEFAULT,
                Objects.named("", name).with("labels", labels),
                "spec",
                Json.Obj.EMPTY);
        return Plan.none().create(Namespaces.KIND, namespace).create(ClusterKinds.DEPLOYMENT, deployment(name));
    }

    private Resource deployment(String name) {
        var spec = pool.spec();
        var annotations = new LinkedHashMap<>(spec.stringMap("annotations"));
        annotations.put(Deployment.SPEC_HASH, specHash());
        var metadata = Objects.named(name, name)
                .with("labels", Json.Obj.ofStrings(spec.stringMap("labels")))
                .with("annotations", Json.Obj.ofStrings(annotations));
        var reference = Json.Obj.of("namespace", Json.of(pool.namespace()), "poolName", Json.of(pool.name()));
        var builder = Json.Obj.builder()
                .put("clusterName", name)
                .put("baseDomain", spec.string("baseDomain"))
                .put("platform", spec.object("platform"))
                .put("clusterPoolRef", reference)
                .put("powerState", Deployment.RUNNING)
                .put("provisioning", Json.Obj.of("imageSetRef", spec.object("imageSetRef")))
                .putNonEmpty("hibernateAfter", spec.string("hibernateAfter"))
                .putNonEmpty("pullSecretRef", spec.object("pullSecretRef"));
        if (limits("installAttemptsLimit")) {
            builder.put("installAttemptsLimit", Json.of(spec.integer("installAttemptsLimit")));
        }
        return Objects.of(ClusterKinds.DEPLOYMENT, LogicalCluster.DEFAULT, metadata, "spec", builder.build());
    }

    /// Of all that a cluster of this pool is made of.
    String specHash() {
        var parts = Json.Obj.EMPTY;
        for (var field : List.of("platform", "baseDomain", "imageSetRef", "installConfigSecretTemplateRef")) {
            parts = parts.withOrWithout(field, pool.spec().get(field));
        }
        return hash(JsonText.write(parts)).substring(0, 16);
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String suffix(Instant moment, long index) {
        var bytes = Sha256.of((pool.uid() + moment + index).getBytes(StandardCharsets.UTF_8));
        var text = new StringBuilder();
        for (int i = 0; i < SUFFIX; i++) {
            text.append(LETTERS.charAt((bytes[i] & 0xff) % LETTERS.length()));
        }
        return text.toString();
    }
}
