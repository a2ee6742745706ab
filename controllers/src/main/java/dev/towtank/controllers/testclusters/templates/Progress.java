package dev.towtank.controllers.testclusters.templates;

import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// The status of an instance, on its way to the next one.
final class Progress {

    static final String DEFINED = "ClusterDefinitionCreated";
    static final String INSTALLED = "ClusterInstallSucceeded";
    static final String ADDED = "ArgoClusterAdded";
    static final String SETUP_CREATED = "ClusterSetupCreated";
    static final String SETUP = "ClusterSetupSucceeded";
    static final String READY = "Ready";

    /// Of an organisation of clusters that this server is not part of.
    private static final Map<String, String> REGISTRATION = Map.of(
            "ManagedClusterCreated", "ManagedCluster",
            "ManagedClusterImported", "ManagedClusterImport",
            "KlusterletAddonCreated", "Klusterlet",
            "ConsoleURLRetrieved", "ConsoleURL");

    /// Why an instance failed that had time enough.
    static final String DEADLINE = "ProvisionDeadlineExceeded";

    /// There where something that was asked for has no effect.
    private static final String IGNORED = "ParametersIgnored";

    private static final String LOGIN = "firstLoginAttempt";

    private static final List<String> REGISTRATION_ORDER =
            List.of("ManagedClusterCreated", "ManagedClusterImported", "KlusterletAddonCreated", "ConsoleURLRetrieved");

    private Json.Obj status;
    private final Conditions conditions;
    private final Instant now;

    Progress(Json.Obj before, Instant now) {
        this.status = before;
        this.conditions = Conditions.of(before, now);
        this.now = now;
        if (!conditions.has(DEFINED)) {
            phase("Pending", "Pending");
            conditions.set(DEFINED, false, "ClusterDefinitionPending", "Pending");
            conditions.set(INSTALLED, false, "ClusterDefinitionNotCreated", "Waiting for cluster definition");
            for (var type : REGISTRATION_ORDER) {
                conditions.set(type, false, REGISTRATION.get(type) + "Pending", "Waiting for the cluster");
            }
            conditions.set(ADDED, false, "ArgoClusterPending", "Waiting for the cluster");
            conditions.set(SETUP_CREATED, false, "ClusterNotInstalled", "Waiting for the cluster");
            conditions.set(SETUP, false, "ClusterSetupNotCreated", "Waiting for cluster setup to be created");
            conditions.unknown(READY, "Pending", "Pending");
        }
    }

    boolean has(String type) {
        return conditions.isTrue(type);
    }

    Progress phase(String phase, String message) {
        status = status.with("phase", Json.of(phase)).with("message", Json.of(message));
        return this;
    }

    Progress done(String type, String reason, String message) {
        conditions.set(type, true, reason, message);
        return this;
    }

    String reason(String type) {
        return conditions.reason(type);
    }

    /// Not there yet, and it may still come: whoever waits for `Ready` to be true or false goes on waiting.
    Progress waits(String type, String reason, String phase, String message) {
        conditions.set(type, false, reason, message);
        conditions.unknown(READY, reason, message);
        return phase(phase, message);
    }

    boolean isGivenUp() {
        return conditions.reason(READY).equals(DEADLINE);
    }

    /// What went wrong so far; empty where nothing did.
    String failure() {
        return status.string("phase").endsWith("Failed") ? status.string("message") : "";
    }

    /// What was ready once, and never will be again. Its keys stay, for those who want to know why.
    Progress lost(String message) {
        conditions.set(READY, false, "ClusterLost", message);
        return phase("Failed", message);
    }

    /// What was ready and will be again.
    Progress rests(String message) {
        conditions.set(READY, false, "NotRunning", message);
        return this;
    }

    /// What cannot be taken away.
    Progress stuck(String message) {
        conditions.set(READY, false, "DeprovisionFailed", message);
        return phase("Failed", message);
    }

    Progress ignored(List<String> parameters) {
        if (!parameters.isEmpty()) {
            conditions.set(IGNORED, true, "Ignored", String.join("; ", parameters));
        }
        return this;
    }

    Progress firstLogin(Instant moment) {
        return status.string(LOGIN).isEmpty() ? with(LOGIN, Json.of(Timestamps.seconds(moment))) : this;
    }

    Instant firstLogin() {
        return status.string(LOGIN).isEmpty() ? now : Timestamps.parse(status.string(LOGIN));
    }

    /// Whoever waits for `Ready` to be false waits no longer.
    Progress fails(String type, String reason, String phase, String message, String readyReason) {
        conditions.set(type, false, reason, message);
        conditions.set(READY, false, readyReason, message);
        return phase(phase, message);
    }

    Progress registrationSkipped() {
        for (var type : REGISTRATION_ORDER) {
            conditions.set(type, true, REGISTRATION.get(type) + "Skipped", "Cluster registration is skipped");
        }
        return this;
    }

    Progress with(String field, Json value) {
        status = status.with(field, value);
        return this;
    }

    Progress ready() {
        conditions.set(READY, true, "ClusterReady", "Cluster is ready");
        return phase("Ready", "Cluster is ready");
    }

    Json.Obj json() {
        return status.with("conditions", conditions.json());
    }
}
