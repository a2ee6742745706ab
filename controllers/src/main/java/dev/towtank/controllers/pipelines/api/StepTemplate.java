package dev.towtank.controllers.pipelines.api;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// What every step of a task starts from.
public record StepTemplate(
        String image,
        List<String> command,
        List<String> args,
        String workingDir,
        List<Json.Obj> envFrom,
        List<Json.Obj> env,
        Json.Obj computeResources,
        List<Json.Obj> volumeMounts,
        List<Json.Obj> volumeDevices,
        String imagePullPolicy,
        Optional<Json.Obj> securityContext) {}
