package dev.towtank.model.crd;

import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.WebhookClients;
import java.util.HashSet;

/// `spec.conversion`. The paths in messages are those of Kubernetes' internal type.
final class ConversionChecks {

    private ConversionChecks() {}

    static void check(Field conversion) {
        if (!conversion.isPresent()) {
            return;
        }
        conversion.at("strategy").requiredOneOf("None", "Webhook");
        var client = conversion
                .at("webhook", "clientConfig")
                .reportedAt(conversion.path().child("webhookClientConfig"));
        var versions = conversion
                .at("webhook", "conversionReviewVersions")
                .reportedAt(conversion.path().child("conversionReviewVersions"));
        if (!conversion.at("strategy").text().equals("Webhook")) {
            var detail = "should not be set when strategy is not set to Webhook";
            client.forbiddenIfPresent(detail);
            if (!versions.isEmpty()) {
                versions.forbidden(detail);
            }
            return;
        }
        client(client);
        reviewVersions(versions);
    }

    private static void client(Field client) {
        if (!client.isPresent()) {
            client.required("required when strategy is set to Webhook");
        } else {
            WebhookClients.validate(client);
        }
    }

    private static void reviewVersions(Field versions) {
        if (versions.isEmpty()) {
            versions.required("");
            return;
        }
        var seen = new HashSet<String>();
        versions.each(version -> {
            if (!seen.add(version.text())) {
                version.invalid("duplicate version");
            } else {
                version.matches(Names::dns1035Label);
            }
        });
        if (!seen.contains("v1") && !seen.contains("v1beta1")) {
            versions.errors()
                    .invalid(
                            new Path(versions.path().text()),
                            versions.shown(),
                            "must include at least one of v1, v1beta1");
        }
    }
}
