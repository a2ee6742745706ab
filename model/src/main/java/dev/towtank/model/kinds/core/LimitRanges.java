package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Quantity;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import dev.towtank.model.kinds.ResourceLists;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// LimitRanges: how much a pod, container or claim in a namespace may ask for, and what it gets when it does not ask.
public final class LimitRanges {

    private static final List<String> LISTS =
            List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");
    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");

    public static final Kind<Json.Obj> KIND = Kind.namespaced("", "v1", "LimitRange", "limitranges")
            .withShortNames("limits")
            .withRules(new LimitRangeRules())
            .withColumns(
                    Column.ofName(),
                    Column.of(
                            "Created At",
                            "date",
                            (object, _) -> Json.of(object.string("metadata", "creationTimestamp"))));

    private LimitRanges() {}

    private static final class LimitRangeRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.inside(object, "spec", spec -> Fill.each(spec, "limits", LimitRanges::complete));
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var types = new HashSet<String>();
            Field.root(object, errors).at("spec", "limits").each(limit -> {
                validateType(limit.at("type"));
                limit.at("type").unique(types);
                validateLimit(limit);
            });
        }
    }

    private static Json.Obj complete(Json.Obj limit) {
        var filled = limit;
        for (var list : LISTS) {
            filled = Fill.inside(filled, list, ResourceLists::canonical);
        }
        if (!filled.string("type").equals("Container")) {
            return filled;
        }
        var limits = merged(filled.object("default"), filled.object("max"));
        var requests = merged(merged(filled.object("defaultRequest"), limits), filled.object("min"));
        filled = limits.size() == 0 ? filled : filled.with("default", limits);
        return requests.size() == 0 ? filled : filled.with("defaultRequest", requests);
    }

    private static Json.Obj merged(Json.Obj first, Json.Obj others) {
        var all = first;
        for (var entry : others) {
            all = Fill.missing(all, entry.getKey(), entry.getValue());
        }
        return all;
    }

    private static void validateType(Field type) {
        var problems = Names.qualifiedName(type.text());
        type.matches(_ -> problems);
        if (problems.isEmpty() && !type.text().contains("/") && !TYPES.contains(type.text())) {
            type.invalid("must be a standard limit type or fully qualified");
        }
    }

    private static void validateLimit(Field limit) {
        var type = limit.at("type").text();
        for (var list : LISTS) {
            var amounts = limit.at(list);
            if (type.equals("Pod") && list.startsWith("default")) {
                if (!amounts.isEmpty()) {
                    amounts.forbidden("may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            amounts.eachEntry((_, amount) -> {
                if (type.equals("Pod") || type.equals("Container")) {
                    ResourceLists.validateContainerName(amount);
                } else {
                    ResourceLists.validateName(amount);
                }
            });
        }
        if (type.equals("PersistentVolumeClaim")
                && !limit.at("min").has("storage")
                && !limit.at("max").has("storage")) {
            limit.errors()
                    .required(
                            limit.path().child("limits"),
                            "either minimum or maximum storage value is required, but neither was provided");
        }
        var names = new TreeSet<String>();
        LISTS.forEach(list -> names.addAll(limit.at(list).object().keys()));
        names.forEach(name -> validateOrder(limit, name));
    }

    private static void validateOrder(Field limit, String name) {
        var min = amount(limit, "min", name);
        var max = amount(limit, "max", name);
        var limits = amount(limit, "default", name);
        var requests = amount(limit, "defaultRequest", name);
        refuse(limit, "min", name, min, min, max, "min value %s is greater than max value %s");
        refuse(
                limit,
                "defaultRequest",
                name,
                requests,
                min,
                requests,
                "min value %s is greater than default request value %s");
        refuse(
                limit,
                "defaultRequest",
                name,
                requests,
                requests,
                max,
                "default request value %s is greater than max value %s");
        refuse(
                limit,
                "defaultRequest",
                name,
                requests,
                requests,
                limits,
                "default request value %s is greater than default limit value %s");
        refuse(limit, "default", name, min, min, limits, "min value %s is greater than default value %s");
        refuse(limit, "default", name, max, limits, max, "default value %s is greater than max value %s");
        amount(limit, "maxLimitRequestRatio", name)
                .filter(ratio -> ratio.compareTo(Quantity.of(1)) < 0)
                .ifPresent(ratio -> limit.errors()
                        .invalid(
                                limit.path().child("maxLimitRequestRatio").key(name),
                                ratio.toString(),
                                "ratio " + ratio + " is less than 1"));
    }

    private static Optional<Quantity> amount(Field limit, String list, String name) {
        return ResourceLists.quantity(limit.at(list, name).value());
    }

    private static void refuse(
            Field limit,
            String list,
            String name,
            Optional<Quantity> shown,
            Optional<Quantity> smaller,
            Optional<Quantity> larger,
            String words) {
        if (smaller.isPresent() && larger.isPresent() && smaller.get().compareTo(larger.get()) > 0) {
            limit.errors()
                    .invalid(
                            limit.path().child(list).key(name),
                            shown.map(Quantity::toString).orElse(""),
                            String.format(Locale.ROOT, words, smaller.get(), larger.get()));
        }
    }
}
