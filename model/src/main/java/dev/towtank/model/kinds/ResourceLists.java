package dev.towtank.model.kinds;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Amounts of named resources: `requests`, `limits`, `capacity`, `hard`.
public final class ResourceLists {

    private static final Set<String> CONTAINER_RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");

    private static final Set<String> STANDARD_RESOURCES = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage",
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "storage",
            "requests.storage",
            "services.nodeports",
            "services.loadbalancers");

    private static final Set<String> COUNTED_RESOURCES = Set.of(
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");

    private ResourceLists() {}

    /// The amount a value stands for; numbers are taken as well as texts. Nothing where it is not a quantity.
    public static Optional<Quantity> quantity(@Nullable Json value) {
        if (value == null || value instanceof Json.Null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Quantity.parse(value.display()));
        } catch (Quantity.Malformed e) {
            return Optional.empty();
        }
    }

    /// As Kubernetes writes the amount back: `0.5` becomes `500m`, `1024Mi` becomes `1Gi`.
    static String canonical(@Nullable Json value) {
        return quantity(value).map(Quantity::toString).orElse("");
    }

    /// Every amount of a list as Kubernetes writes it back: nothing is finer than a thousandth.
    public static Json.Obj canonical(Json.Obj resources) {
        var builder = Json.Obj.builder();
        resources.forEach((name, amount) -> {
            var parsed = quantity(amount).map(ResourceLists::inThousandths);
            builder.put(
                    name, parsed.<Json>map(known -> Json.of(known.toString())).orElse(amount));
        });
        return builder.build();
    }

    private static Quantity inThousandths(Quantity amount) {
        return amount.amount().scale() <= 3
                ? amount
                : Quantity.of(amount.amount().setScale(3, RoundingMode.CEILING), amount.format());
    }

    /// The amount in one field of an object as Kubernetes writes it back.
    static Json.Obj canonicalField(Json.Obj object, String key) {
        return quantity(object.get(key))
                .map(amount -> object.with(key, Json.of(amount.toString())))
                .orElse(object);
    }

    static Json.Obj canonicalRequirements(Json.Obj requirements) {
        UnaryOperator<Json.Obj> canonical = ResourceLists::canonical;
        return Fill.inside(Fill.inside(requirements, "limits", canonical), "requests", canonical);
    }

    static boolean isNegative(@Nullable Json value) {
        return quantity(value).map(amount -> sign(amount) < 0).orElse(false);
    }

    static boolean isZero(@Nullable Json value) {
        return quantity(value).map(amount -> sign(amount) == 0).orElse(false);
    }

    private static int sign(Quantity amount) {
        return amount.signum();
    }

    /// A container's requests and limits.
    static void validateRequirements(Field resources, Field spec) {
        validateRequirements(resources, spec, ResourceLists::validateContainerName);
    }

    /// Requests and limits of the pod as a whole.
    static void validatePodRequirements(Field resources, Field spec) {
        validateRequirements(resources, spec, field -> {
            var name = key(field);
            if (!name.equals("cpu") && !name.equals("memory") && !name.startsWith("hugepages-")) {
                field.errors().notSupported(field.path(), Json.of(name), List.of("cpu", "hugepages-", "memory"));
            }
        });
    }

    static void validateOverhead(Field overhead) {
        overhead.eachEntry((name, amount) -> {
            var entry = amount.reportedAt(overhead.path().child("limits").key(name));
            validateContainerName(entry);
            validateAmount(name, entry);
        });
    }

    private static void validateRequirements(Field resources, Field spec, Consumer<Field> nameRule) {
        var limits = resources.at("limits");
        var requests = resources.at("requests");
        limits.eachEntry((name, limit) -> {
            nameRule.accept(limit);
            validateAmount(name, limit);
        });
        requests.eachEntry((name, request) -> {
            nameRule.accept(request);
            validateAmount(name, request);
            validateAgainstLimit(name, request, requests, limits);
        });
        validateClaims(resources.at("claims"), spec);
    }

    private static void validateAgainstLimit(String name, Field request, Field requests, Field limits) {
        var overcommit = isNative(name) && !name.startsWith("hugepages-");
        if (!limits.has(name)) {
            if (!overcommit) {
                limits.errors().required(limits.path(), "Limit must be set for non overcommitable resources");
            }
            return;
        }
        var asked = quantity(request.value());
        var limit = quantity(limits.at(name).value());
        if (asked.isEmpty() || limit.isEmpty()) {
            return;
        }
        int order = asked.get().compareTo(limit.get());
        var shown = Json.of(asked.get().toString());
        if (order != 0 && !overcommit) {
            requests.with(shown).invalid("must be equal to " + name + " limit of " + limit.get());
        } else if (order > 0) {
            requests.with(shown).invalid("must be less than or equal to " + name + " limit of " + limit.get());
        }
    }

    /// Not negative, and whole where the resource is counted.
    public static void validateAmount(String name, Field amount) {
        var parsed = quantity(amount.value());
        if (parsed.isEmpty()) {
            amount.invalid(
                    "quantities must match the regular expression" + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
            return;
        }
        var shown = amount.with(Json.of(parsed.get().toString()));
        if (sign(parsed.get()) < 0) {
            shown.invalid("must be greater than or equal to 0");
        }
        if (isCounted(name) && parsed.get().amount().remainder(BigDecimal.ONE).signum() != 0) {
            shown.invalid("must be an integer");
        }
    }

    /// More than nothing, as sizes of volumes are.
    public static void validatePositive(Field amount) {
        quantity(amount.value())
                .filter(parsed -> sign(parsed) <= 0)
                .ifPresent(parsed -> amount.with(Json.of(parsed.toString())).invalid("must be greater than zero"));
    }

    /// The general rule for names of resources: standard, or qualified with a domain.
    public static boolean validateName(Field entry) {
        var problems = new FieldError.Collector();
        var name = key(entry);
        Names.qualifiedName(name).forEach(problem -> problems.invalid(entry.path(), name, problem));
        if (problems.isEmpty() && !name.contains("/") && !isStandard(name)) {
            problems.invalid(entry.path(), name, "must be a standard resource type or fully qualified");
        }
        problems.errors().forEach(entry.errors()::add);
        return problems.isEmpty();
    }

    /// The rule for names that a container can ask for.
    public static void validateContainerName(Field entry) {
        validateName(entry);
        var name = key(entry);
        if (!name.contains("/")) {
            if (!CONTAINER_RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
                entry.errors().invalid(entry.path(), name, "must be a standard resource for containers");
            }
        } else if (!isNative(name) && !isExtended(name)) {
            entry.errors().invalid(entry.path(), name, "doesn't follow extended resource name standard");
        }
    }

    /// The name of the resource that an entry at `path[name]` is about.
    public static String key(Field entry) {
        var path = entry.path().text();
        return path.substring(path.lastIndexOf('[') + 1, path.length() - 1);
    }

    public static boolean isStandard(String name) {
        return STANDARD_RESOURCES.contains(name)
                || name.startsWith("hugepages-")
                || name.startsWith("requests.hugepages-");
    }

    /// Unqualified, or of Kubernetes itself.
    static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && Names.qualifiedName("requests." + name).isEmpty();
    }

    static boolean isCounted(String name) {
        return COUNTED_RESOURCES.contains(name) || isExtended(name);
    }

    private static void validateClaims(Field claims, Field spec) {
        var known = spec.at("resourceClaims").items().stream()
                .map(claim -> claim.at("name").text())
                .sorted()
                .toList();
        var seen = new HashSet<String>();
        for (var claim : claims.items()) {
            var name = claim.at("name").reportedAt(claim.path()).required("");
            if (name.isEmpty()) {
                continue;
            }
            name.unique(seen);
            if (!known.contains(name.text())) {
                var choice = known.isEmpty() ? " which is empty" : ": " + String.join(", ", known);
                claim.errors()
                        .add(new FieldError(
                                FieldError.Type.NOT_FOUND,
                                claim.path().text(),
                                name.shown(),
                                "must be one of the names in pod.spec.resourceClaims" + choice));
            }
        }
    }
}
