package dev.towtank.controllers.testclusters.hive;

import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.controllers.testclusters.api.Faults;
import dev.towtank.controllers.testclusters.api.ProviderKind;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/// A ClusterDeployment, read.
record Deployment(Resource object) {

    static final String FINALIZER = "hive.openshift.io/deprovision";
    static final String SPEC_HASH = "hive.openshift.io/cluster-pool-spec-hash";

    static final String RUNNING = "Running";
    static final String HIBERNATING = "Hibernating";

    static final Comparator<Deployment> OLDEST_FIRST = Comparator.comparing(
                    (Deployment each) -> each.object.creationTimestamp().orElse(Instant.EPOCH))
            .thenComparing(each -> each.object.name());

    boolean isInstalled() {
        return object.spec().flag("installed");
    }

    String claim() {
        return object.spec().string("clusterPoolRef", "claimName");
    }

    boolean isOf(Resource pool) {
        var reference = object.spec().object("clusterPoolRef");
        return reference.string("poolName").equals(pool.name())
                && reference.string("namespace").equals(pool.namespace());
    }

    boolean isClaimed() {
        return !claim().isEmpty();
    }

    boolean wantsToRun() {
        return !object.spec().string("powerState").equals(HIBERNATING);
    }

    boolean isRunning() {
        return object.status().string("powerState").equals(RUNNING) && wantsToRun();
    }

    Faults fault() {
        return Faults.of(object);
    }

    /// Whether a program of this machine makes it.
    boolean isOfProgram() {
        return ProviderKind.PROGRAMS.contains(object.annotations().getOrDefault(ProviderKind.ANNOTATION, ""));
    }

    /// Its installation has ended for good, or it takes too long to wake.
    boolean isBroken(Optional<Duration> resumeTimeout, Instant now) {
        if (Conditions.isTrue(object.status(), "ProvisionStopped")) {
            return true;
        }
        return resumeTimeout.isPresent()
                && isInstalled()
                && wantsToRun()
                && !isRunning()
                && resumingSince()
                        .filter(since -> !now.isBefore(since.plus(resumeTimeout.get())))
                        .isPresent();
    }

    Optional<Instant> resumingSince() {
        return object.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("Hibernating")
                        && each.string("status").equals("False"))
                .map(each -> Timestamps.parse(each.string("lastTransitionTime")))
                .findFirst();
    }

    static Optional<Duration> duration(Json.Obj holder, String... path) {
        var text = holder.string(path);
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Durations.parse(text));
        } catch (Durations.Malformed e) {
            return Optional.empty();
        }
    }
}
