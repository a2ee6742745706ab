package dev.towtank.model.kinds;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Who a process runs as and what it may do, for a pod and for each of its containers.
final class SecurityContexts {

    private static final Pattern SYSCTL =
            Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");

    private SecurityContexts() {}

    static void validateForPod(Field context, Field spec) {
        for (var id : List.of("fsGroup", "runAsUser", "runAsGroup")) {
            validateId(context.at(id));
        }
        context.at("supplementalGroups").each(SecurityContexts::validateId);
        validateSysctls(context.at("sysctls"), spec);
        context.at("fsGroupChangePolicy").oneOfIfPresent("Always", "OnRootMismatch");
        validateSeccomp(context.at("seccompProfile"));
        validateAppArmor(context.at("appArmorProfile"));
        context.at("supplementalGroupsPolicy").oneOfIfPresent("Merge", "Strict");
        context.at("seLinuxChangePolicy").oneOfIfPresent("MountOption", "Recursive");
    }

    static void validateForContainer(Field context, Field spec) {
        validateId(context.at("runAsUser"));
        validateId(context.at("runAsGroup"));
        var procMount = context.at("procMount").oneOfIfPresent("Default", "Unmasked");
        var usesHostUsers = !spec.has("hostUsers") || spec.at("hostUsers").flag();
        if (usesHostUsers && procMount.text().equals("Unmasked")) {
            procMount.invalid("`hostUsers` must be false to use `Unmasked`");
        }
        validateSeccomp(context.at("seccompProfile"));
        if (context.has("allowPrivilegeEscalation")
                && !context.at("allowPrivilegeEscalation").flag()) {
            if (context.at("privileged").flag()) {
                context.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
            }
            if (context.at("capabilities", "add").items().stream()
                    .anyMatch(capability -> capability.text().equals("CAP_SYS_ADMIN"))) {
                context.invalid("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
            }
        }
        validateAppArmor(context.at("appArmorProfile"));
    }

    private static void validateId(Field id) {
        id.inRange(0, Integer.MAX_VALUE);
    }

    private static void validateSysctls(Field sysctls, Field spec) {
        var names = new HashSet<String>();
        for (var sysctl : sysctls.items()) {
            var name = sysctl.at("name").required("");
            var text = name.text();
            if (!name.isEmpty() && (text.length() > 253 || !SYSCTL.matcher(text).matches())) {
                name.invalid("must have at most 253 characters and match regex ^" + SYSCTL + "$");
            } else if (!name.isEmpty()) {
                name.unique(names);
            }
            if (spec.at("hostNetwork").flag() && text.startsWith("net.")) {
                name.invalid("may not be specified when 'hostNetwork' is true");
            } else if (spec.at("hostIPC").flag()
                    && (text.startsWith("kernel.shm")
                            || text.startsWith("kernel.msg")
                            || text.startsWith("fs.mqueue."))) {
                name.invalid("may not be specified when 'hostIPC' is true");
            }
        }
    }

    private static void validateSeccomp(Field profile) {
        if (!profile.isPresent()) {
            return;
        }
        var type = profile.at("type").required("type is required when seccompProfile is set");
        if (!type.isEmpty()) {
            type.oneOf("Localhost", "RuntimeDefault", "Unconfined");
        }
        var local = profile.at("localhostProfile");
        if (!type.text().equals("Localhost")) {
            if (local.isPresent()) {
                profile.reportedAt(local.path()).invalid("can only be set when seccomp type is Localhost");
            }
        } else if (!local.isPresent()) {
            profile.errors().required(local.path(), "must be set when seccomp type is Localhost");
        } else {
            FilePaths.relative(local);
        }
    }

    private static void validateAppArmor(Field profile) {
        if (!profile.isPresent()) {
            return;
        }
        var type = profile.at("type").required("type is required when appArmorProfile is set");
        if (!type.isEmpty()) {
            type.oneOf("Localhost", "RuntimeDefault", "Unconfined");
        }
        var local = profile.at("localhostProfile");
        switch (type.text()) {
            case "Localhost" -> {
                if (local.text().isBlank()) {
                    profile.errors().required(local.path(), "must be set when AppArmor type is Localhost");
                } else if (!local.text().equals(local.text().strip())) {
                    local.invalid("must not be padded with whitespace");
                }
            }
            case "RuntimeDefault", "Unconfined" -> {
                if (local.isPresent()) {
                    local.invalid("can only be set when AppArmor type is Localhost");
                }
            }
            default -> {}
        }
    }
}
