package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.HashSet;

/// Rules of a pod's spec, for pods and for templates alike. What is left out is filled in by [PodDefaults].
public final class PodSpecs {

    private static final int MAX_NAMESERVERS = 3;
    private static final int MAX_SEARCH_DOMAINS = 32;
    private static final int MAX_SEARCH_CHARACTERS = 2048;

    private PodSpecs() {}

    /// The spec of a template.
    public static Json.Obj defaults(Json.Obj spec) {
        return PodDefaults.spec(spec);
    }

    /// The spec of a pod that is about to run.
    public static void validate(Field spec) {
        validateShared(spec, true);
        if (spec.at("serviceAccountName").isEmpty()) {
            spec.at("volumes")
                    .each(volume -> volume.at("projected", "sources")
                            .each(source -> source.at("serviceAccountToken")
                                    .forbiddenIfPresent("must not be specified when serviceAccountName is not set")));
        }
        spec.at("terminationGracePeriodSeconds").nonNegative();
        for (var list : new String[] {"containers", "initContainers"}) {
            spec.at(list).each(container -> refuseSpacesAround(container.at("image")));
        }
    }

    /// The spec of a template, which is not a pod yet: some fields are decided only then.
    public static void validateTemplate(Field spec) {
        validateShared(spec, false);
        if (spec.at("ephemeralContainers").size() > 0) {
            spec.at("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
        }
    }

    static void refuseSpacesAround(Field image) {
        if (!image.text().equals(image.text().strip())) {
            image.invalid("must not have leading or trailing whitespace");
        }
    }

    private static void validateShared(Field spec, boolean isPod) {
        var grace = spec.at("terminationGracePeriodSeconds");
        if (!grace.isPresent()) {
            spec.errors().required(grace.path(), "");
        }
        var volumes = Volumes.validate(spec.at("volumes"));
        Containers.validate(spec, volumes);
        validatePodResources(spec);
        validateHostNetworkPorts(spec, isPod);
        spec.at("restartPolicy").requiredOneOf("Always", "OnFailure", "Never");
        spec.at("dnsPolicy").requiredOneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
        ObjectMetas.validateLabels(spec.at("nodeSelector"));
        SecurityContexts.validateForPod(spec.at("securityContext"), spec);
        validateNamespaces(spec);
        Placement.validate(spec);
        validateDns(spec.at("dnsConfig"), spec.at("dnsPolicy").text());
        spec.at("readinessGates").each(gate -> gate.at("conditionType").matches(Names::qualifiedName));
        validateSchedulingGates(spec.at("schedulingGates"));
        validateNames(spec);
        if (spec.has("activeDeadlineSeconds")) {
            spec.at("activeDeadlineSeconds").inRange(1, Integer.MAX_VALUE);
        }
        Placement.validateTolerations(spec.at("tolerations"));
        spec.at("hostAliases").each(alias -> {
            alias.at("ip").matches(IpAddresses::problems);
            alias.at("hostnames").each(name -> name.matches(Names::dnsSubdomain));
        });
        if (spec.has("preemptionPolicy")) {
            spec.at("preemptionPolicy").requiredOneOf("PreemptLowerPriority", "Never");
        }
        if (spec.has("overhead")) {
            ResourceLists.validateOverhead(spec.at("overhead"));
        }
        validateOs(spec.at("os"));
    }

    private static void validatePodResources(Field spec) {
        var resources = spec.at("resources");
        if (resources.isPresent()) {
            resources.at("claims").forbiddenIfPresent("claims may not be set for Resources at pod-level");
            ResourceLists.validatePodRequirements(resources, spec);
        }
    }

    private static void validateHostNetworkPorts(Field spec, boolean isPod) {
        if (!spec.at("hostNetwork").flag()) {
            return;
        }
        spec.at("containers")
                .each(container -> container.at("ports").each(port -> {
                    var hostPort = port.at("hostPort");
                    if ((isPod || hostPort.number() != 0)
                            && hostPort.number() != port.at("containerPort").number()) {
                        hostPort.with(Json.of(hostPort.number()))
                                .invalid("must match `containerPort` when `hostNetwork` is true");
                    }
                }));
    }

    private static void validateNamespaces(Field spec) {
        if (spec.at("shareProcessNamespace").flag() && spec.at("hostPID").flag()) {
            spec.at("shareProcessNamespace").invalid("ShareProcessNamespace and HostPID cannot both be enabled");
        }
        if (!spec.has("hostUsers") || spec.at("hostUsers").flag()) {
            return;
        }
        for (var shared : new String[] {"hostNetwork", "hostPID", "hostIPC"}) {
            if (spec.at(shared).flag()) {
                // Upstream spells the last two as its Go fields.
                var name = shared.equals("hostNetwork") ? shared : "H" + shared.substring(1);
                spec.errors().forbidden(spec.path().child(name), "when `hostUsers` is false");
            }
        }
    }

    private static void validateDns(Field config, String policy) {
        if (policy.equals("None")) {
            if (!config.isPresent()) {
                config.errors().required(config.path(), "must provide `dnsConfig` when `dnsPolicy` is None");
                return;
            }
            if (config.at("nameservers")
                    .required("must provide at least one DNS nameserver when `dnsPolicy` is None")
                    .isEmpty()) {
                return;
            }
        }
        var servers = config.at("nameservers");
        if (servers.size() > MAX_NAMESERVERS) {
            servers.invalid("must not have more than " + MAX_NAMESERVERS + " nameservers");
        }
        servers.each(server -> server.matches(IpAddresses::problems));
        var searches = config.at("searches");
        if (searches.size() > MAX_SEARCH_DOMAINS) {
            searches.invalid("must not have more than " + MAX_SEARCH_DOMAINS + " search paths");
        }
        int characters = searches.items().stream()
                        .mapToInt(search -> search.text().length() + 1)
                        .sum()
                - 1;
        if (characters > MAX_SEARCH_CHARACTERS) {
            searches.invalid("must not have more than " + MAX_SEARCH_CHARACTERS
                    + " characters (including spaces) in the search list");
        }
        config.at("options").each(option -> {
            if (option.at("name").isEmpty()) {
                option.errors().required(option.path(), "must not be empty");
            }
        });
    }

    private static void validateSchedulingGates(Field gates) {
        var seen = new HashSet<String>();
        gates.each(gate -> gate.at("name")
                .reportedAt(gate.path())
                .matches(Names::qualifiedName)
                .unique(seen));
    }

    private static void validateNames(Field spec) {
        var account = spec.at("serviceAccountName").matchesIfSet(Names::dnsSubdomain);
        var alias = spec.at("serviceAccount");
        if (!alias.text().equals(account.text())) {
            alias.reportedAt(spec.path().child("deprecatedServiceAccount"))
                    .invalid("must be the same as serviceAccountName: " + Json.of(account.text()));
        }
        spec.at("nodeName").matchesIfSet(Names::dnsSubdomain);
        spec.at("hostname").matchesIfSet(Names::dnsLabel);
        spec.at("subdomain").matchesIfSet(Names::dnsLabel);
        spec.at("priorityClassName").matchesIfSet(Names::dnsSubdomain);
        if (spec.has("runtimeClassName")) {
            spec.at("runtimeClassName").matches(Names::dnsSubdomain);
        }
        var override = spec.at("hostnameOverride");
        if (override.isPresent()) {
            if (spec.at("setHostnameAsFQDN").flag()) {
                override.forbidden("may not be specified when setHostnameAsFQDN is true");
            }
            if (spec.at("hostNetwork").flag()) {
                override.forbidden("may not be specified when hostNetwork is true");
            }
            if (override.text().length() > 64) {
                override.tooLong(64);
            }
            override.matches(Names::dnsSubdomain);
        }
    }

    private static void validateOs(Field os) {
        if (os.isPresent() && !os.at("name").required("").isEmpty()) {
            os.at("name").reportedAt(os.path()).oneOf("linux", "windows");
        }
    }
}
