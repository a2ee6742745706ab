package dev.towtank.controllers.pipelinesascode.runs;

import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.matching.TektonFiles;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The PipelineRun that is created, with all that says where it comes from.
public final class RunObjects {

    public static final String QUEUED = "queued";
    public static final String STARTED = "started";
    public static final String COMPLETED = "completed";

    /// Whether the forge has heard that it runs.
    public static final String START_TOLD = "scm-reporting-plr-started";

    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_PREFIX = 200;

    private RunObjects() {}

    /// @param queued whether it waits for others to end
    /// @param secret with the token for git, where there is one
    /// @param installation of the GitHub App; zero for none
    public static Json.Obj of(
            Json.Obj run,
            GitEvent event,
            Resource repository,
            boolean queued,
            Optional<String> secret,
            long installation) {
        var original = TektonFiles.name(run);
        var labels = new LinkedHashMap<String, String>();
        var annotations = new LinkedHashMap<String, String>();
        both(labels, annotations, "url-org", event.owner());
        both(labels, annotations, "url-repository", event.name());
        both(labels, annotations, "sha", event.sha());
        both(labels, annotations, "event-type", event.type());
        both(labels, annotations, "repository", repository.name());
        both(labels, annotations, "original-prname", original);
        both(labels, annotations, "state", queued ? QUEUED : STARTED);
        if (!queued) {
            // Told when it is created; one that waits is told of when it goes on.
            annotate(annotations, START_TOLD, "true");
        }
        event.pullRequest().ifPresent(number -> both(labels, annotations, "pull-request", String.valueOf(number)));
        labels.put("app.kubernetes.io/managed-by", PacKinds.GROUP);
        annotate(annotations, "sha-title", event.shaTitle());
        annotate(annotations, "sha-url", event.shaUrl());
        annotate(annotations, "repo-url", event.url());
        annotate(annotations, "source-repo-url", event.headUrl());
        annotate(annotations, "sender", event.sender());
        annotate(annotations, "branch", event.base());
        annotate(annotations, "source-branch", event.head());
        annotate(annotations, "git-provider", event.forge().wire());
        secret.ifPresent(name -> annotate(annotations, "git-auth-secret", name));
        if (installation > 0) {
            annotate(annotations, "installation-id", String.valueOf(installation));
        }
        if (event.sourceProject() > 0) {
            annotate(annotations, "source-project-id", String.valueOf(event.sourceProject()));
        }
        annotations.put("results.tekton.dev/recordSummaryAnnotations", summary(event, repository));
        // By which those are found that end with their pull request.
        var inProgress = run.string("metadata", "annotations", PacKinds.PREFIX + "cancel-in-progress");
        if (!inProgress.isEmpty()) {
            labels.put(PacKinds.PREFIX + "cancel-in-progress", label(inProgress));
        }
        var metadata = run.object("metadata").without("name").without("namespace");
        metadata = metadata.with("generateName", Json.of(prefix(original)))
                .with("namespace", Json.of(repository.namespace()))
                .with("labels", merged(metadata.object("labels"), labels))
                .with("annotations", merged(metadata.object("annotations"), annotations));
        var spec = queued ? run.object("spec").with("status", Json.of("PipelineRunPending")) : run.object("spec");
        return run.with("metadata", metadata).with("spec", spec);
    }

    private static String prefix(String original) {
        var name = original.endsWith("-") ? original : original + "-";
        return name.length() > LONGEST_PREFIX ? name.substring(0, LONGEST_PREFIX) : name;
    }

    private static String summary(GitEvent event, Resource repository) {
        var json = Json.Obj.builder()
                .put("repo", repository.name())
                .put("commit", event.sha())
                .put("eventType", event.type());
        event.pullRequest().ifPresent(number -> json.put("pull_request-id", number));
        return JsonText.write(json.build());
    }

    private static void both(Map<String, String> labels, Map<String, String> annotations, String name, String value) {
        labels.put(PacKinds.PREFIX + name, label(value));
        annotate(annotations, name, value);
    }

    private static void annotate(Map<String, String> annotations, String name, String value) {
        annotations.put(PacKinds.PREFIX + name, value);
    }

    /// What a label may hold of a text: its end, with what upstream writes for some signs, and dashes for others.
    public static String label(String value) {
        var end = value.length() >= LONGEST_LABEL ? value.substring(value.length() - LONGEST_LABEL + 1) : value;
        var clean = end.strip()
                .replaceAll("^[ \\-_\\[\\]]+|[ \\-_\\[\\]]+$", "")
                .replace(" ", "_")
                .replace("[", "__")
                .replace("]", "__")
                .replaceAll("[^A-Za-z0-9._-]", "-");
        var cut = clean.substring(0, Math.min(LONGEST_LABEL, clean.length()));
        return cut.replaceAll("^[._-]+|[._-]+$", "");
    }

    private static Json.Obj merged(Json.Obj own, Map<String, String> more) {
        var all = own.toBuilder();
        more.forEach(all::put);
        return all.build();
    }
}
