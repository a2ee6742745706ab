package dev.towtank.controllers.testclusters.templates;

import dev.towtank.model.Resource;

/// How far an Application is.
enum ApplicationState {
    RUNNING("SyncRunning"),
    HEALTHY("Healthy"),
    DEGRADED("Degraded"),
    ERROR("Error");

    private final String wire;

    ApplicationState(String wire) {
        this.wire = wire;
    }

    String wire() {
        return wire;
    }

    static ApplicationState of(Resource application) {
        var status = application.status();
        if (status.objects("conditions").stream()
                .anyMatch(each -> each.string("type").endsWith("Error"))) {
            return ERROR;
        }
        var health = status.string("health", "status");
        if (health.equals("Degraded")) {
            return DEGRADED;
        }
        boolean synced = status.string("operationState", "phase").equals("Succeeded")
                && status.string("sync", "status").equals("Synced");
        return synced && health.equals("Healthy") ? HEALTHY : RUNNING;
    }

    static String message(Resource application) {
        var status = application.status();
        return switch (of(application)) {
            case ERROR ->
                status.objects("conditions").stream()
                        .filter(each -> each.string("type").endsWith("Error"))
                        .map(each -> each.string("message"))
                        .findFirst()
                        .orElse("");
            case DEGRADED -> "Application is degraded: " + status.string("health", "message");
            case HEALTHY -> "Application is healthy";
            case RUNNING -> "Application sync is running";
        };
    }
}
