package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The three lists of containers in a pod: init containers, the containers, and ephemeral ones added for debugging.
final class Containers {

    private static final List<String> NOT_FOR_EPHEMERAL = List.of(
            "ports",
            "resources",
            "volumeDevices",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules");

    private final Field spec;
    private final Map<String, Json.Obj> volumes;
    private final Set<String> names = new HashSet<>();

    private Containers(Field spec, Map<String, Json.Obj> volumes) {
        this.spec = spec;
        this.volumes = volumes;
    }

    static void validate(Field spec, Map<String, Json.Obj> volumes) {
        var containers = new Containers(spec, volumes);
        containers.validateMain();
        containers.validateInit();
        containers.validateEphemeral();
    }

    private void validateMain() {
        var list = spec.at("containers").required("");
        for (var container : list.items()) {
            validateEach(container);
            container.at("name").unique(names);
            if (container.has("lifecycle")) {
                Handlers.validateLifecycle(container.at("lifecycle"), spec);
            }
            Handlers.validateProbes(container, spec);
            validateRestartPolicy(container);
        }
        var hostPorts = new HashSet<String>();
        list.each(container -> validateHostPorts(container, hostPorts));
    }

    private void validateInit() {
        for (var container : spec.at("initContainers").items()) {
            validateEach(container);
            validateRestartPolicy(container);
            if (!container.at("name").isEmpty()) {
                container.at("name").unique(names);
            }
            validateHostPorts(container, new HashSet<>());
            if (container.at("restartPolicy").text().equals("Always")) {
                if (container.has("lifecycle")) {
                    Handlers.validateLifecycle(container.at("lifecycle"), spec);
                }
                Handlers.validateProbes(container, spec);
            } else {
                for (var field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
                    container
                            .at(field)
                            .forbiddenIfPresent("may not be set for init containers without restartPolicy=Always");
                }
            }
        }
    }

    private void validateEphemeral() {
        var targets = Set.copyOf(names);
        for (var container : spec.at("ephemeralContainers").items()) {
            validateEach(container);
            container.at("name").unique(names);
            var target = container.at("targetContainerName");
            if (!target.isEmpty() && !targets.contains(target.text())) {
                target.notFound();
            }
            for (var field : NOT_FOR_EPHEMERAL) {
                if (!container.at(field).isEmpty()) {
                    container.at(field).forbidden("cannot be set for an Ephemeral Container");
                }
            }
            container.at("volumeMounts").each(mount -> {
                mount.at("subPath").forbiddenIfPresent("cannot be set for an Ephemeral Container");
                mount.at("subPathExpr").forbiddenIfPresent("cannot be set for an Ephemeral Container");
            });
        }
    }

    private void validateEach(Field container) {
        container.at("name").required("").matchesIfSet(Names::dnsLabel);
        container.at("image").required("");
        container.at("terminationMessagePolicy").requiredOneOf("File", "FallbackToLogsOnError");
        for (var path : List.of("workingDir", "terminationMessagePath")) {
            FilePaths.withoutBacksteps(container.at(path));
        }
        validatePorts(container.at("ports"));
        EnvironmentVariables.validate(container);
        VolumeMounts.validate(container, volumes);
        container.at("imagePullPolicy").requiredOneOf("Always", "IfNotPresent", "Never");
        ResourceLists.validateRequirements(container.at("resources"), spec);
        validateResizePolicy(container.at("resizePolicy"));
        SecurityContexts.validateForContainer(container.at("securityContext"), spec);
    }

    private static void validatePorts(Field ports) {
        var seen = new HashSet<String>();
        for (var port : ports.items()) {
            var name = port.at("name");
            if (!name.isEmpty() && Names.portName(name.text()).isEmpty()) {
                name.unique(seen);
            } else {
                name.matchesIfSet(Names::portName);
            }
            if (!port.at("containerPort").required("").isEmpty()) {
                port.at("containerPort").port();
            }
            if (!port.at("hostPort").isEmpty()) {
                port.at("hostPort").port();
            }
            port.at("protocol").requiredOneOf("SCTP", "TCP", "UDP");
        }
    }

    private static void validateHostPorts(Field container, Set<String> taken) {
        for (var port : container.at("ports").items()) {
            var hostPort = port.at("hostPort");
            var key = port.at("protocol").text() + "/" + port.at("hostIP").text() + "/" + hostPort.number();
            if (!hostPort.isEmpty() && !taken.add(key)) {
                hostPort.errors().duplicate(hostPort.path(), Json.of(key));
            }
        }
    }

    private static void validateRestartPolicy(Field container) {
        var policy = container.at("restartPolicy");
        var rules = container.at("restartPolicyRules");
        if (!policy.isPresent() && rules.size() > 0) {
            policy.required("must specify restartPolicy when restart rules are used");
        }
        policy.oneOfIfPresent("Always", "Never", "OnFailure");
        if (rules.size() > 20) {
            rules.errors().tooMany(rules.path(), rules.size(), 20);
        }
        rules.each(rule -> {
            rule.at("action").oneOf("Restart", "RestartAllContainers");
            var exitCodes = rule.at("exitCodes");
            if (!exitCodes.isPresent()) {
                exitCodes.required("must be specified");
            } else {
                exitCodes.at("operator").oneOf("In", "NotIn");
            }
        });
    }

    private void validateResizePolicy(Field policies) {
        var seen = new HashSet<String>();
        for (var policy : policies.items()) {
            var resource = policy.at("resourceName");
            if (!seen.add(resource.text())) {
                policy.errors().duplicate(policy.path(), resource.shown());
            }
            resource.reportedAt(policies.path()).requiredOneOf("cpu", "memory");
            var restart = policy.at("restartPolicy").reportedAt(policies.path());
            restart.requiredOneOf("NotRequired", "RestartContainer");
            if (spec.at("restartPolicy").text().equals("Never")
                    && !restart.text().equals("NotRequired")) {
                restart.invalid("must be 'NotRequired' when pod `restartPolicy` is 'Never'");
            }
        }
    }
}
