package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// A container that runs beside the steps.
public record Sidecar(
        String name,
        String image,
        List<String> command,
        List<String> args,
        String workingDir,
        List<Json.Obj> ports,
        List<Json.Obj> envFrom,
        List<Json.Obj> env,
        Json.Obj computeResources,
        List<Json.Obj> volumeMounts,
        List<Json.Obj> volumeDevices,
        Optional<Json.Obj> livenessProbe,
        Optional<Json.Obj> readinessProbe,
        Optional<Json.Obj> startupProbe,
        Optional<Json.Obj> lifecycle,
        String terminationMessagePath,
        String terminationMessagePolicy,
        String imagePullPolicy,
        Optional<Json.Obj> securityContext,
        boolean stdin,
        boolean stdinOnce,
        boolean tty,
        String script,
        List<WorkspaceUsage> workspaces,
        Optional<String> restartPolicy) {}
