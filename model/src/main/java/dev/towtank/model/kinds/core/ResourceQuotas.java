package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.ResourceLists;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// ResourceQuotas: how much a namespace may use in total.
public final class ResourceQuotas {

    private static final List<String> POD_SCOPES =
            List.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity");
    private static final Set<String> SCOPES = Set.of(
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "PriorityClass",
            "CrossNamespacePodAffinity",
            "VolumeAttributesClass");
    private static final Set<String> COMPUTE =
            Set.of("cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "ResourceQuota", "resourcequotas")
            .withShortNames("quota")
            .withStatus()
            .withRules(new QuotaRules())
            .withColumns(
                    Column.ofName(),
                    Column.text("Request", (quota, _) -> Json.of(usage(quota, false)))
                            .describedAs("Request represents a minimum amount of cpu/memory that a container may"
                                    + " consume."),
                    Column.text("Limit", (quota, _) -> Json.of(usage(quota, true)))
                            .describedAs("Limits control the maximum amount of cpu/memory that a container may use"
                                    + " independent of contention on the node."),
                    Column.ofAge());

    private ResourceQuotas() {}

    private static final class QuotaRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            var filled = Fill.inside(object, "spec", spec -> Fill.inside(spec, "hard", ResourceLists::canonical));
            return Fill.inside(filled, "status", status -> {
                var hard = Fill.inside(status, "hard", ResourceLists::canonical);
                return Fill.inside(hard, "used", ResourceLists::canonical);
            });
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var spec = Field.root(object, errors).at("spec");
            validateAmounts(spec.at("hard"));
            validateScopes(spec.at("scopes"), spec.at("hard"));
            validateScopeSelector(spec);
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var scopes = Field.root(object, errors).at("spec", "scopes");
            var before = new HashSet<>(old.array("spec", "scopes").strings());
            if (!before.equals(new HashSet<>(object.array("spec", "scopes").strings()))) {
                scopes.invalid("field is immutable");
            }
        }

        @Override
        public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var status = Field.root(object, errors).at("status");
            validateAmounts(status.at("hard"));
            validateAmounts(status.at("used"));
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }

    private static void validateAmounts(Field amounts) {
        amounts.eachEntry((name, amount) -> {
            ResourceLists.validateName(amount);
            if (!name.contains("/") && !isQuotaResource(name)) {
                amount.errors().invalid(amount.path(), name, "must be a standard resource for quota");
            }
            ResourceLists.validateAmount(name, amount);
        });
    }

    private static boolean isQuotaResource(String name) {
        return ResourceLists.isStandard(name) && !name.equals("storage");
    }

    private static void validateScopes(Field scopes, Field hard) {
        for (var scope : scopes.items()) {
            if (!SCOPES.contains(scope.text())) {
                scopes.invalid("unsupported scope");
            }
            hard.object().keys().stream()
                    .filter(name -> !fits(scope.text(), name))
                    .forEach(_ -> scopes.invalid("unsupported scope applied to resource"));
        }
        refuseConflicts(scopes, scopes.items().stream().map(Field::text).toList());
    }

    private static void refuseConflicts(Field reported, List<String> scopes) {
        if (scopes.containsAll(List.of("BestEffort", "NotBestEffort"))
                || scopes.containsAll(List.of("Terminating", "NotTerminating"))) {
            reported.invalid("conflicting scopes");
        }
    }

    private static boolean fits(String scope, String resource) {
        if (!isQuotaResource(resource)) {
            return true;
        }
        return switch (scope) {
            case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity" ->
                resource.equals("pods") || COMPUTE.contains(resource);
            case "BestEffort" -> resource.equals("pods");
            case "VolumeAttributesClass" ->
                resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
            default -> true;
        };
    }

    private static void validateScopeSelector(Field spec) {
        var expressions = spec.at("scopeSelector", "matchExpressions");
        for (var expression : expressions.items()) {
            // Upstream reports these without the index of the expression.
            var scope = expression.at("scopeName").reportedAt(expressions.path().child("scopeName"));
            if (!SCOPES.contains(scope.text())) {
                scope.invalid("unsupported scope");
            }
            spec.at("hard").object().keys().stream()
                    .filter(name -> !fits(scope.text(), name))
                    .forEach(_ -> spec.at("scopeSelector")
                            .reportedAt(expressions.path())
                            .invalid("unsupported scope applied to resource"));
            var operator =
                    expression.at("operator").reportedAt(expressions.path().child("operator"));
            if (POD_SCOPES.contains(scope.text()) && !operator.text().equals("Exists")) {
                operator.invalid("must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                        + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                        + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
            }
            validateOperator(
                    operator,
                    expression.at("values").reportedAt(expressions.path().child("values")));
        }
        refuseConflicts(
                spec.at("scopes").reportedAt(expressions.path()),
                expressions.items().stream()
                        .map(expression -> expression.at("scopeName").text())
                        .toList());
    }

    private static void validateOperator(Field operator, Field values) {
        switch (operator.text()) {
            case "In", "NotIn" ->
                values.required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    values.invalid("must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
                }
            }
            default -> operator.invalid("not a valid selector operator");
        }
    }

    private static String usage(Json.Obj quota, boolean limits) {
        var hard = quota.object("status", "hard");
        var parts = new TreeSet<>(hard.keys())
                .stream()
                        .filter(name -> name.startsWith("limits.") == limits)
                        .map(name ->
                                name + ": " + shown(quota.at("status", "used", name)) + "/" + shown(hard.get(name)))
                        .toList();
        return String.join(", ", parts);
    }

    private static String shown(@Nullable Json amount) {
        return amount == null ? "0" : amount.display();
    }
}
