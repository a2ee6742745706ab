package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.LabelSelectors;
import dev.towtank.model.kinds.WebhookClients;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules that configurations of mutating and of validating webhooks share.
///
/// @param reinvoked whether a webhook says if it wants to be asked again
record Webhooks(boolean reinvoked) implements Rules {

    static final Column COUNT = Column.of(
                    "Webhooks",
                    "integer",
                    (object, _) -> Json.of(object.array("webhooks").size()))
            .describedAs("Webhooks indicates the number of webhooks registered in this configuration");

    private static final int DEFAULT_TIMEOUT = 10;
    private static final int DEFAULT_PORT = 443;
    private static final int LONGEST_TIMEOUT = 30;
    private static final Set<String> REVIEWS = Set.of("v1", "v1beta1");
    private static final List<String> HARMLESS = List.of("None", "NoneOnDryRun");
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun", "Some", "Unknown");

    /// What is asked of every webhook unless the stored configuration already broke it.
    private record Demands(boolean harmless, boolean knownReview, boolean uniqueNames, boolean conditions) {
        static final Demands ALL = new Demands(true, true, true, true);
    }

    @Override
    public Json.Obj defaults(Json.Obj object) {
        return Fill.each(object, "webhooks", this::hookDefaults);
    }

    private Json.Obj hookDefaults(Json.Obj hook) {
        var filled = Fill.missing(hook, "failurePolicy", "Fail");
        filled = Fill.missing(MatchRules.defaults(filled), "timeoutSeconds", DEFAULT_TIMEOUT);
        if (reinvoked) {
            filled = Fill.missing(filled, "reinvocationPolicy", "Never");
        }
        return Fill.inside(
                filled,
                "clientConfig",
                client -> Fill.inside(client, "service", service -> Fill.missing(service, "port", DEFAULT_PORT)));
    }

    @Override
    public void validateCreate(Json.Obj object, FieldError.Collector errors) {
        validate(object, Demands.ALL, errors);
    }

    @Override
    public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        var hooks = old.objects("webhooks");
        boolean harmless = hooks.stream().allMatch(hook -> HARMLESS.contains(hook.string("sideEffects")));
        boolean known = hooks.stream()
                .map(hook -> hook.array("admissionReviewVersions").strings())
                .allMatch(versions -> versions.isEmpty() || versions.stream().anyMatch(REVIEWS::contains));
        boolean unique =
                hooks.stream().map(hook -> hook.string("name")).distinct().count() == hooks.size();
        boolean conditions = !conditions(object).equals(conditions(old));
        validate(object, new Demands(harmless, known, unique, conditions), errors);
    }

    private static List<Json.Arr> conditions(Json.Obj object) {
        return object.objects("webhooks").stream()
                .map(hook -> hook.array("matchConditions"))
                .toList();
    }

    private void validate(Json.Obj object, Demands demands, FieldError.Collector errors) {
        var names = new HashSet<String>();
        Field.root(object, errors).at("webhooks").each(hook -> {
            validateHook(hook, demands);
            reviewVersions(hook.at("admissionReviewVersions"), demands.knownReview);
            if (demands.uniqueNames && !hook.at("name").isEmpty()) {
                hook.at("name").unique(names);
            }
        });
    }

    private void validateHook(Field hook, Demands demands) {
        fullyQualified(hook.at("name"));
        hook.at("rules").each(MatchRules::validate);
        hook.at("failurePolicy").oneOfIfPresent("Fail", "Ignore");
        hook.at("matchPolicy").oneOfIfPresent("Equivalent", "Exact");
        sideEffects(hook.at("sideEffects"), demands.harmless ? HARMLESS : SIDE_EFFECTS);
        var timeout = hook.at("timeoutSeconds");
        if (timeout.isPresent() && (timeout.number() < 1 || timeout.number() > LONGEST_TIMEOUT)) {
            timeout.invalid("the timeout value must be between 1 and 30 seconds");
        }
        for (var selector : List.of("namespaceSelector", "objectSelector")) {
            if (hook.has(selector)) {
                LabelSelectors.validate(hook.at(selector));
            }
        }
        if (reinvoked) {
            hook.at("reinvocationPolicy").oneOfIfPresent("IfNeeded", "Never");
        }
        WebhookClients.validate(hook.at("clientConfig"));
        if (demands.conditions) {
            MatchConditions.validate(hook.at("matchConditions"), false);
        }
    }

    private static void fullyQualified(Field name) {
        if (name.isEmpty()) {
            name.required("");
            return;
        }
        var problems = Names.dnsSubdomain(name.text());
        if (!problems.isEmpty()) {
            name.invalid(String.join(",", problems));
        } else if (name.text().split("\\.", -1).length < 3) {
            name.invalid("should be a domain with at least three segments separated by dots");
        }
    }

    private static void sideEffects(Field effects, List<String> allowed) {
        if (effects.isPresent()) {
            effects.oneOf(allowed);
        } else {
            effects.required("must specify one of " + String.join(", ", allowed));
        }
    }

    private static void reviewVersions(Field versions, boolean known) {
        if (versions.size() == 0) {
            versions.errors().required(versions.path(), "must specify one of v1, v1beta1");
            return;
        }
        var seen = new HashSet<String>();
        versions.each(version -> {
            if (seen.add(version.text())) {
                version.matches(Names::dns1035Label);
            } else {
                version.invalid("duplicate version");
            }
        });
        if (known && seen.stream().noneMatch(REVIEWS::contains)) {
            versions.invalid("must include at least one of v1, v1beta1");
        }
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return false;
    }

    @Override
    public boolean countsGenerations() {
        return true;
    }
}
