package dev.towtank.controllers.testclusters.templates;

import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.model.Json;
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

    private static final List<String> REGISTRATION_ORDER =
            List.of("ManagedClusterCreated", "ManagedClusterImported", "KlusterletAddonCreated", "ConsoleURLRetrieved");

    private Json.Obj status;
    private final Conditions conditions;

    Progress(Json.Obj before, Instant now) {
        this.status = before;
        this.conditions = Conditions.of(before, now);
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
            conditions.set(READY, false, "Pending", "Pending");
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

    /// Not there yet, and it may still come.
    Progress waits(String type, String reason, String phase, String message) {
        conditions.set(type, false, reason, message);
        conditions.set(READY, false, reason, message);
        return phase(phase, message);
    }

    /// Whoever waits for `Ready` to be false for this reason waits no longer.
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
