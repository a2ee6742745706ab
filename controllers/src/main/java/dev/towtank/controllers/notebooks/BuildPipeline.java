package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.notebooks.api.NotebookKinds;
import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pipeline that makes the image of a job, with the operator's names for it and its tasks. The server itself
/// fetches
/// and builds, as it does for other strategies: who may log in where stays with it, and the sandbox of a pod lets
/// nobody
/// build.
record BuildPipeline(NotebookBuild build) {

    static final String IMAGE_RESULT = "image-reference";
    static final String MESSAGE_RESULT = "message";

    /// In which a task says why it failed.
    static final String PROBLEM_RESULT = "problem";

    private static final String FETCH = """
            name: fetch-repository
            workspaces: [{name: output, workspace: shared-workspace}]
            taskSpec:
              workspaces: [{name: output, mountPath: %1$s}]
              results: [{name: commit}, {name: problem}]
              volumes: [{name: word, emptyDir: {}}]
              sidecars:
              - name: git-clone
                image: towtank.dev/git-clone
                command: [%2$s]
                volumeMounts: [{name: word, mountPath: %3$s}]
              steps:
              - name: clone
                image: busybox:1.36
                volumeMounts: [{name: word, mountPath: %3$s}]
                script: |
                  #!/bin/sh
                  until [ -e %3$s/commit ] || [ -e %3$s/problem ]; do sleep 0.1; done
                  if [ -e %3$s/problem ]; then
                    tee "$(results.problem.path)" < %3$s/problem
                    exit 1
                  fi
                  tee "$(results.commit.path)" < %3$s/commit
            """.formatted(RunOrder.REPOSITORY, RunOrder.CLONE_COMMAND, RunOrder.WORD);

    private static final String GENERATE = """
            name: generate-dockerfile
            runAfter: [fetch-repository]
            workspaces: [{name: source, workspace: shared-workspace}]
            params:
            - {name: BASE_IMAGE, value: $(params.base-image)}
            - {name: DOCKERFILE_PATH, value: $(params.dockerfile-path)}
            - {name: REQUIRED, value: $(params.requirements-file)}
            - {name: REQUIREMENTS, value: ["$(params.requirements[*])"]}
            taskSpec:
              params:
              - {name: BASE_IMAGE}
              - {name: DOCKERFILE_PATH}
              - {name: REQUIRED}
              - {name: REQUIREMENTS, type: array}
              workspaces: [{name: source}]
              results: [{name: dockerfile}, {name: problem}]
              steps:
              - name: check-and-generate-dockerfile
                image: busybox:1.36
                workingDir: $(workspaces.source.path)
                env:
                - {name: BASE_IMAGE, value: $(params.BASE_IMAGE)}
                - {name: DOCKERFILE_PATH, value: $(params.DOCKERFILE_PATH)}
                - {name: REQUIRED, value: $(params.REQUIRED)}
                args: ["$(params.REQUIREMENTS[*])"]
                script: |
                  #!/bin/sh
                  set -eu
                  for file in "$DOCKERFILE_PATH" "$REQUIRED"; do
                    if [ -n "$file" ] && [ ! -f "$file" ]; then
                      echo "there is no $file in the repository" | tee "$(results.problem.path)"
                      exit 1
                    fi
                  done
                  if [ -n "$DOCKERFILE_PATH" ]; then
                    echo "The repository has its own: $DOCKERFILE_PATH"
                    printf repository > "$(results.dockerfile.path)"
                    exit 0
                  fi
                  found=
                  for file; do
                    if [ -f "$file" ]; then found=$file; break; fi
                  done
                  echo "Packages are those of ${found:-the base image alone}."
                  {
                    echo "FROM $BASE_IMAGE"
                    echo "COPY . %1$s/"
                    echo "WORKDIR %1$s"
                    if [ -n "$found" ]; then echo "RUN pip install --no-cache-dir -r $found"; fi
                  } | tee "$(results.dockerfile.path)"
            """.formatted(NotebookBuild.SOURCE);

    private static final String SPEC = """
            description: Makes the image that a notebook runs in.
            params:
            - {name: git-url}
            - {name: git-revision}
            - {name: image-reference}
            - {name: base-image}
            - {name: dockerfile-path, default: ""}
            - {name: notebook-path}
            - {name: requirements-file, default: ""}
            - {name: requirements, type: array, default: []}
            workspaces: [{name: shared-workspace}]
            results:
            - {name: image-reference, value: $(tasks.build-image.results.image-reference)}
            - {name: message, value: $(tasks.build-image.results.message)}
            """;

    private static final String WORKSPACES = """
            - name: shared-workspace
              volumeClaimTemplate:
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    Resource pipeline() {
        var spec = (Json.Obj) YamlText.parse(SPEC);
        return build.object(
                NotebookKinds.PIPELINE,
                build.job().object().name() + "-pipeline",
                spec.with("tasks", Json.Arr.of(YamlText.parse(FETCH), YamlText.parse(GENERATE), image())));
    }

    /// Done by [ImageRunReconciler].
    private Json.Obj image() {
        return Json.Obj.builder()
                .put("name", "build-image")
                .put("runAfter", Json.Arr.ofStrings(List.of("generate-dockerfile")))
                .put(
                        "taskRef",
                        Json.Obj.ofStrings(Map.of(
                                "apiVersion",
                                NotebookKinds.JOB.apiVersion(),
                                "kind",
                                NotebookKinds.IMAGE,
                                "name",
                                build.job().object().name())))
                .put(
                        "params",
                        params(Map.of(
                                "IMAGE",
                                "$(params.image-reference)",
                                ImageRunReconciler.DOCKERFILE,
                                "$(tasks.generate-dockerfile.results.dockerfile)",
                                ImageRunReconciler.COMMIT,
                                "$(tasks.fetch-repository.results.commit)")))
                .build();
    }

    private static Json.Arr params(Map<String, String> values) {
        return new Json.Arr(values.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .<Json>map(each -> param(each.getKey(), Json.of(each.getValue())))
                .toList());
    }

    private static Json.Obj param(String name, Json value) {
        return Json.Obj.of("name", Json.of(name), "value", value);
    }

    Resource run() {
        var job = build.job();
        var git = job.spec().object("notebook", "git");
        boolean isGenerated = build.wish().flag("autoGenerateRequirements");
        var params = params(Map.of(
                        "git-url",
                        git.string("url"),
                        "git-revision",
                        git.string("ref"),
                        "image-reference",
                        ImageRunReconciler.reference(job, ":latest"),
                        "base-image",
                        build.base(),
                        "dockerfile-path",
                        build.ownDockerfile(),
                        "notebook-path",
                        job.spec().string("notebook", "path"),
                        "requirements-file",
                        build.wish().string("requirementsFile")))
                .plus(param(
                        "requirements", Json.Arr.ofStrings(isGenerated ? build.requirements() : List.<String>of())));
        var run = build.object(
                NotebookKinds.PIPELINE_RUN,
                build.name(),
                Json.Obj.builder()
                        .put(
                                "pipelineRef",
                                Json.Obj.of("name", Json.of(job.object().name() + "-pipeline")))
                        .put("params", params)
                        .put("workspaces", YamlText.parse(WORKSPACES))
                        .put(
                                "taskRunTemplate",
                                Json.Obj.of(
                                        "serviceAccountName", Json.of(job.pod().string("serviceAccountName"))))
                        .put("timeouts", Json.Obj.of("pipeline", Json.of(Durations.format(build.timeout()))))
                        .build());
        // Both go on to the pods of its tasks, where whoever fetches reads them.
        return run.with(run.json()
                .with(
                        List.of("metadata", "labels", RunOrder.LABEL),
                        Json.of(ValidationPod.label(job.object().name())))
                .with(
                        List.of("metadata", "annotations", RunOrder.ANNOTATION),
                        Json.of(fetching(job).text())));
    }

    private static RunOrder fetching(NotebookJob job) {
        var whole = job.order();
        return new RunOrder(
                whole.notebook(),
                Optional.empty(),
                whole.source(),
                Optional.empty(),
                Duration.ZERO,
                Json.Obj.EMPTY,
                Json.Obj.EMPTY);
    }
}
