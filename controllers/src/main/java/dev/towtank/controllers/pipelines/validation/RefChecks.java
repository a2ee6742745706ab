package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.model.Names;
import java.util.regex.Pattern;

/// Checks of a reference to a task, a pipeline or a step action.
final class RefChecks {

    private static final Pattern ADDRESS = Pattern.compile("[\\w-]+:/");
    private static final String CONCISE =
            "feature flag enable-concise-resolver-syntax should be set to true to use concise resolver syntax";

    private RefChecks() {}

    static Problems of(Ref ref, AllowedFeatures gate) {
        if (!ref.resolver().isEmpty() || !ref.params().isEmpty()) {
            return remote(ref, gate);
        }
        if (ref.name().isEmpty()) {
            return Problems.missing("name");
        }
        if (ADDRESS.matcher(ref.name()).find()) {
            return Problems.none()
                    .addIf(!gate.flags().enableConciseResolverSyntax(), CONCISE, "")
                    .add(Problems.missing("resolver"));
        }
        var wrong = Names.qualifiedName(ref.name());
        return wrong.isEmpty() ? Problems.none() : Problems.invalid(String.join(",", wrong), "name");
    }

    private static Problems remote(Ref ref, AllowedFeatures gate) {
        var problems = Problems.none();
        boolean hasName = !ref.name().isEmpty();
        if (!ref.params().isEmpty()) {
            problems.add(gate.beta("resolver params").via("params"));
            problems.add(hasName ? Problems.multipleOneOf("name", "params") : Problems.none());
            problems.add(ref.resolver().isEmpty() ? Problems.missing("resolver") : Problems.none());
            problems.add(ParamChecks.given(ref.params()));
        }
        if (!ref.resolver().isEmpty()) {
            problems.add(gate.beta("resolver").via("resolver"));
            boolean isAddress = ADDRESS.matcher(ref.name()).find();
            problems.addIf(hasName && isAddress && !gate.flags().enableConciseResolverSyntax(), CONCISE, "");
            problems.addIf(hasName && !isAddress, "invalid value: invalid URI for request", "name");
        }
        return problems;
    }
}
