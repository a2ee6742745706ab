package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.settings.Defaults;
import dev.towtank.controllers.pipelines.api.settings.FeatureFlags;
import dev.towtank.controllers.pipelines.api.settings.Settings;

/// Which features an object may use.
///
/// @param isBeta whether the object came as v1beta1, where some checks have other words
record AllowedFeatures(Settings settings, boolean isBeta) {

    FeatureFlags flags() {
        return settings.flags();
    }

    Defaults defaults() {
        return settings.defaults();
    }

    Problems beta(String feature) {
        return needs(feature, FeatureFlags.BETA, "\"alpha\" or \"beta\"");
    }

    Problems alpha(String feature) {
        return needs(feature, FeatureFlags.ALPHA, "\"alpha\"");
    }

    private Problems needs(String feature, String level, String words) {
        return flags().allows(level)
                ? Problems.none()
                : Problems.generic(feature + " requires \"enable-api-fields\" feature gate to be " + words
                        + " but it is " + GoText.quote(flags().stability()));
    }
}
