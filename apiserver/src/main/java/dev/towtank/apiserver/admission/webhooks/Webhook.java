package dev.towtank.apiserver.admission.webhooks;

import dev.towtank.apiserver.admission.extension.Criteria;
import dev.towtank.apiserver.admission.extension.MatchConditions;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// One webhook of a configuration.
///
/// @param clientConfig where it is reached
/// @param failsOpen whether a request goes on when the webhook cannot be asked
/// @param harmless whether it may be asked about a dry run
/// @param reviewVersion the first of its versions of AdmissionReview that we speak, or empty
/// @param reinvoked whether it wants to be asked again when others changed the object after it
record Webhook(
        String configuration,
        String name,
        Criteria criteria,
        MatchConditions conditions,
        Json.Obj clientConfig,
        boolean failsOpen,
        Duration timeout,
        boolean harmless,
        String reviewVersion,
        boolean reinvoked) {

    private static final Set<String> HARMLESS = Set.of("None", "NoneOnDryRun");
    private static final Set<String> REVIEWS = Set.of("v1", "v1beta1");
    private static final int DEFAULT_TIMEOUT = 10;

    static List<Webhook> read(Json.Obj configuration) {
        var hooks = new ArrayList<Webhook>();
        for (var hook : configuration.objects("webhooks")) {
            hooks.add(new Webhook(
                    configuration.string("metadata", "name"),
                    hook.string("name"),
                    Criteria.ofWebhook(hook),
                    MatchConditions.read(hook, false),
                    hook.object("clientConfig"),
                    hook.string("failurePolicy").equals("Ignore"),
                    Duration.ofSeconds(hook.integerOr(DEFAULT_TIMEOUT, "timeoutSeconds")),
                    HARMLESS.contains(hook.string("sideEffects")),
                    hook.array("admissionReviewVersions").strings().stream()
                            .filter(REVIEWS::contains)
                            .findFirst()
                            .orElse(""),
                    hook.string("reinvocationPolicy").equals("IfNeeded")));
        }
        return hooks;
    }
}
