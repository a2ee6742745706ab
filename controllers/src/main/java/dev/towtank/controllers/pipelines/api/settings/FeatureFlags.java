package dev.towtank.controllers.pipelines.api.settings;

import dev.towtank.model.Records;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The ConfigMap `feature-flags`. Written as a record it is what provenance shows.
public record FeatureFlags(
        boolean disableCredsInit,
        boolean runningInEnvWithInjectedSidecars,
        @Records.Field("requireGitSSHSecretKnownHosts") boolean requireGitSshSecretKnownHosts,
        @Records.Field("enableAPIFields") String stability,
        boolean sendCloudEventsForRuns,
        boolean awaitSidecarReadiness,
        String enforceNonfalsifiability,
        boolean enableKeepPodOnCancel,
        String verificationNoMatchPolicy,
        boolean enableProvenanceInStatus,
        String resultExtractionMethod,
        int maxResultSize,
        boolean setSecurityContext,
        boolean setSecurityContextReadOnlyRootFilesystem,
        String coschedule,
        @Records.Field("enableCELInWhenExpression") boolean enableCelInWhenExpression,
        boolean enableParamEnum,
        boolean enableArtifacts,
        String disableInlineSpec,
        boolean enableConciseResolverSyntax,
        boolean enableKubernetesSidecar,
        boolean enableWaitExponentialBackoff,
        boolean enableTerminationMessageCompression) {

    public static final String CONFIG_MAP = "feature-flags";
    public static final String STABLE = "stable";
    public static final String BETA = "beta";
    public static final String ALPHA = "alpha";

    private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
    private static final int TOO_LARGE_FOR_AN_OBJECT = 1572864;

    // Last, because it is read with the constants above.
    public static final FeatureFlags INITIAL = read(Map.of());

    public boolean allows(String level) {
        return switch (level) {
            case ALPHA -> stability.equals(ALPHA);
            case BETA -> !stability.equals(STABLE);
            default -> true;
        };
    }

    /// @param where `pipeline`, `pipelinerun` or `taskrun`
    public boolean forbidsInlineSpec(String where) {
        return List.of(disableInlineSpec.split(",")).contains(where);
    }

    /// @throws Settings.Malformed where a value makes no sense
    public static FeatureFlags read(Map<String, String> data) {
        var values = new Values(data);
        return new FeatureFlags(
                values.flag("disable-creds-init", false),
                values.flag("running-in-environment-with-injected-sidecars", true),
                values.flag("require-git-ssh-secret-known-hosts", false),
                values.choice("enable-api-fields", BETA, ALPHA, BETA, STABLE),
                values.flag("send-cloudevents-for-runs", true),
                values.flag("await-sidecar-readiness", true),
                values.choice("enforce-nonfalsifiability", "none", "none", "spire"),
                values.feature("keep-pod-on-cancel"),
                values.choice("trusted-resources-verification-no-match-policy", "ignore", "fail", "warn", "ignore"),
                values.flag("enable-provenance-in-status", true),
                values.choice("results-from", "termination-message", "termination-message", "sidecar-logs"),
                values.resultSize(),
                values.flag("set-security-context", false),
                values.flag("set-security-context-read-only-root-filesystem", false),
                values.choice(
                        "coschedule", "workspaces", "disabled", "workspaces", "pipelineruns", "isolate-pipelinerun"),
                values.feature("enable-cel-in-whenexpression"),
                values.feature("enable-param-enum"),
                values.feature("enable-artifacts"),
                data.getOrDefault("disable-inline-spec", ""),
                values.feature("enable-concise-resolver-syntax"),
                values.flag("enable-kubernetes-sidecar", false),
                values.flag("enable-wait-exponential-backoff", false),
                values.feature("enable-termination-message-compression"));
    }

    /// @param suffix what the message says behind the reason
    static boolean isOn(Map<String, String> data, String key, boolean otherwise, String suffix) {
        var text = data.get(key);
        if (text == null) {
            return otherwise;
        }
        if (!TRUE.contains(text) && !FALSE.contains(text)) {
            throw new Settings.Malformed("failed parsing feature flags config \"" + text
                    + "\": strconv.ParseBool: parsing \"" + text + "\": invalid syntax" + suffix);
        }
        return TRUE.contains(text);
    }

    private record Values(Map<String, String> data) {

        boolean flag(String key, boolean otherwise) {
            return bool(key, otherwise, "");
        }

        boolean feature(String key) {
            return bool(key, false, " for feature " + key);
        }

        private boolean bool(String key, boolean otherwise, String suffix) {
            return isOn(data, key, otherwise, suffix);
        }

        String choice(String key, String otherwise, String... choices) {
            var text = data.getOrDefault(key, otherwise).toLowerCase(Locale.ROOT);
            if (!List.of(choices).contains(text)) {
                throw new Settings.Malformed("invalid value for feature flag \"" + key + "\": \"" + text + "\"");
            }
            return text;
        }

        int resultSize() {
            var text = data.getOrDefault("max-result-size", "4096");
            try {
                int size = Integer.parseInt(text);
                if (size < TOO_LARGE_FOR_AN_OBJECT) {
                    return size;
                }
            } catch (NumberFormatException e) {
                throw new Settings.Malformed("strconv.Atoi: parsing \"" + text + "\": invalid syntax");
            }
            throw new Settings.Malformed("invalid value for feature flag \"results-from\": \"" + text
                    + "\". This is exceeding the CRD limit");
        }
    }
}
