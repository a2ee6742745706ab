package dev.towtank.apiserver.admission;

import dev.towtank.model.FieldError;
import dev.towtank.model.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What a namespace's labels ask of its pods.
///
/// @param errors in labels that cannot be read
record PodSecurityPolicy(Standard enforce, Standard audit, Standard warn, List<FieldError> errors) {

    static final String PREFIX = "pod-security.kubernetes.io/";

    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,5})");

    /// A level as it was at a version of Kubernetes.
    ///
    /// @param minor of that version; [#LATEST] for the newest rules
    record Standard(PodSecurityLevel level, int minor) {
        static final int LATEST = Integer.MAX_VALUE;
        static final Standard PRIVILEGED = new Standard(PodSecurityLevel.PRIVILEGED, LATEST);

        boolean isPrivileged() {
            return level == PodSecurityLevel.PRIVILEGED;
        }

        @Override
        public String toString() {
            return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
        }
    }

    PodSecurityPolicy {
        errors = List.copyOf(errors);
    }

    static PodSecurityPolicy of(Map<String, String> labels) {
        var errors = new FieldError.Collector();
        // A label that cannot be read must not open the door; for advice it is simply none.
        var enforce = standard(labels, "enforce", PodSecurityLevel.RESTRICTED, errors);
        var audit = standard(labels, "audit", PodSecurityLevel.PRIVILEGED, errors);
        var warn = standard(labels, "warn", PodSecurityLevel.PRIVILEGED, errors);
        boolean enforces = PodSecurityLevel.parse(labels.getOrDefault(PREFIX + "enforce", ""))
                .isPresent();
        // Who enforces and says nothing about warnings wants to hear early about templates that can never run.
        if (!labels.containsKey(PREFIX + "warn") && enforces) {
            boolean ownVersion = labels.containsKey(PREFIX + "warn-version");
            warn = new Standard(enforce.level, ownVersion ? warn.minor : enforce.minor);
        }
        return new PodSecurityPolicy(enforce, audit, warn, errors.errors());
    }

    private static Standard standard(
            Map<String, String> labels, String mode, PodSecurityLevel otherwise, FieldError.Collector errors) {
        var level = PodSecurityLevel.PRIVILEGED;
        var named = labels.get(PREFIX + mode);
        if (named != null) {
            var found = PodSecurityLevel.parse(named);
            level = found.orElse(otherwise);
            if (found.isEmpty()) {
                errors.invalid(label(mode), named, "must be one of privileged, baseline, restricted");
            }
        }
        var version = labels.getOrDefault(PREFIX + mode + "-version", "latest");
        var matcher = VERSION.matcher(version);
        if (matcher.matches()) {
            return new Standard(level, Integer.parseInt(matcher.group(1)));
        }
        if (!version.equals("latest")) {
            errors.invalid(label(mode + "-version"), version, "must be \"latest\" or \"v1.x\"");
        }
        return new Standard(level, Standard.LATEST);
    }

    private static Path label(String name) {
        return Path.of("metadata", "labels").key(PREFIX + name);
    }

    boolean isPrivileged() {
        return errors.isEmpty() && enforce.isPrivileged() && audit.isPrivileged() && warn.isPrivileged();
    }

    /// Whether pods that were fine so far may not be any more.
    boolean isStricterThan(PodSecurityPolicy old) {
        return !enforce.isPrivileged()
                && !enforce.equals(old.enforce)
                && (enforce.minor != old.enforce.minor || enforce.level.compareTo(old.enforce.level) > 0);
    }
}
