package dev.towtank.archive;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;

/// Runs as a cluster would show them.
public final class Runs {

    private Runs() {}

    public static Resource of(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    /// A PipelineRun `build` in the namespace `dev` that has finished.
    public static Resource pipelineRun(String uid, String finalizers) {
        return of("""
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              name: build
              namespace: dev
              uid: %s
              resourceVersion: "7"
              finalizers: %s
              labels: {tekton.dev/pipeline: build, team: blue}
              annotations: {results.tekton.dev/resultAnnotations: '{"repo": "a/b"}'}
            spec: {pipelineRef: {name: build}}
            status:
              startTime: "2026-01-01T10:00:00Z"
              completionTime: "2026-01-01T10:05:00Z"
              conditions: [{type: Succeeded, status: "True", reason: Succeeded}]
              childReferences: [{kind: TaskRun, name: build-compile, pipelineTaskName: compile}]
            """.formatted(uid, finalizers));
    }

    public static Resource taskRun(String uid, String ownerUid, String finalizers) {
        return of("""
            apiVersion: tekton.dev/v1
            kind: TaskRun
            metadata:
              name: build-compile
              namespace: dev
              uid: %s
              resourceVersion: "8"
              finalizers: %s
              labels: {tekton.dev/pipeline: build, tekton.dev/pipelineTask: compile}
              ownerReferences: [{apiVersion: tekton.dev/v1, kind: PipelineRun, name: build, uid: %s, controller: true}]
            status:
              podName: build-compile-pod
              startTime: "2026-01-01T10:00:00Z"
              completionTime: "2026-01-01T10:05:00Z"
              conditions: [{type: Succeeded, status: "True", reason: Succeeded}]
              steps: [{container: step-fetch}, {container: step-make}]
            """.formatted(uid, finalizers, ownerUid));
    }

    public static Resource pod(String phase) {
        return of("""
            apiVersion: v1
            kind: Pod
            metadata: {name: build-compile-pod, namespace: dev, uid: pod-uid, resourceVersion: "9"}
            spec: {containers: [{name: step-fetch}, {name: step-make}]}
            status: {phase: %s}
            """.formatted(phase));
    }

    public static Resource event(String uid) {
        return of("""
            apiVersion: v1
            kind: Event
            metadata: {name: said, namespace: dev, uid: event-uid, resourceVersion: "3"}
            involvedObject: {kind: PipelineRun, name: build, uid: %s}
            reason: Succeeded
            message: Tasks Completed
            """.formatted(uid));
    }
}
