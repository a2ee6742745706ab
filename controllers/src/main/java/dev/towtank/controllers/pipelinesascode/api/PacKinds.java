package dev.towtank.controllers.pipelinesascode.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.Set;

/// The kinds of Pipelines-as-Code, and the names that it writes on runs.
public final class PacKinds {

    public static final String GROUP = "pipelinesascode.tekton.dev";
    public static final String PREFIX = GROUP + "/";

    public static final Kind<Json.Obj> REPOSITORY = Kind.namespaced(GROUP, "v1alpha1", "Repository", "repositories");
    public static final Kind<Json.Obj> PIPELINE_RUN =
            Kind.namespaced("tekton.dev", "v1", "PipelineRun", "pipelineruns");
    /// As older repositories still write them; the server turns them into the other.
    public static final Kind<Json.Obj> OLD_PIPELINE_RUN =
            Kind.namespaced("tekton.dev", "v1beta1", "PipelineRun", "pipelineruns");

    public static final Kind<Json.Obj> TASK_RUN = Kind.namespaced("tekton.dev", "v1", "TaskRun", "taskruns");

    /// Where its own ConfigMap and the Secret of a GitHub App are.
    public static final String NAMESPACE = "pipelines-as-code";

    /// Whether a key of its ConfigMap changes anything here.
    public static boolean isSetting(String key) {
        return SETTINGS.contains(key) || key.matches("catalog-[0-9]+-(id|url|name)");
    }

    private static final Set<String> SETTINGS = Set.of(
            "application-name",
            "secret-auto-create",
            "secret-github-app-scope-extra-repos",
            "remote-tasks",
            "hub-url",
            "hub-catalog-name",
            "enable-cancel-in-progress-on-pull-requests",
            "enable-cancel-in-progress-on-push",
            "error-log-snippet",
            "error-log-snippet-number-of-lines",
            "error-detection-from-container-logs",
            "error-detection-max-number-of-lines",
            "error-detection-simple-regexp",
            "skip-push-event-for-pr-commits",
            "remember-ok-to-test",
            "require-ok-to-test-sha",
            "max-keep-run-upper-limit",
            "default-max-keep-runs",
            "custom-console-url",
            "custom-console-url-pr-details",
            "custom-console-url-pr-tasklog",
            "custom-console-url-namespace",
            "tekton-dashboard-url",
            "towtank-incoming-compatibility");

    private PacKinds() {}
}
