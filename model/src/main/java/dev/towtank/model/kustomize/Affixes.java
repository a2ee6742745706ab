package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Set;

/// Prefixes, suffixes and namespaces.
final class Affixes {

    // Their names are made of other names, or are known outside.
    private static final Set<String> KEPT = Set.of("CustomResourceDefinition", "APIService", "Namespace");

    private static final String NAME = "metadata/name";

    private Affixes() {}

    static Item affix(Item item, String prefix, String suffix, Configuration more) {
        if ((prefix.isEmpty() && suffix.isEmpty()) || KEPT.contains(item.id().kind())) {
            return item;
        }
        var named = affixed(item, prefix, suffix);
        named = affixFields(named, more.at("namePrefix"), prefix, "");
        return affixFields(named, more.at("nameSuffix"), "", suffix);
    }

    private static Item affixed(Item item, String prefix, String suffix) {
        var name = prefix + item.id().name() + suffix;
        return item.moved(item.object().with(List.of("metadata", "name"), Json.of(name)))
                .affixed(prefix + "*" + suffix);
    }

    /// @param places of which one may be the name itself
    static Item affix(Item item, String prefix, String suffix, List<FieldSpec> places) {
        if (KEPT.contains(item.id().kind())) {
            return item;
        }
        boolean isNamed = places.stream().anyMatch(place -> place.path().equals(NAME) && place.isIn(item.original()));
        return affixFields(isNamed ? affixed(item, prefix, suffix) : item, places, prefix, suffix);
    }

    private static Item affixFields(Item item, List<FieldSpec> places, String prefix, String suffix) {
        var object = item.object();
        for (var place : places) {
            if (!place.path().equals(NAME) && place.isIn(item.id())) {
                object = FieldPaths.change(
                        object,
                        FieldPaths.split(place.path()),
                        place.create(),
                        value -> value instanceof Json.Str(var text) ? Json.of(prefix + text + suffix) : value);
            }
        }
        return item.with(object);
    }

    static Item namespace(Item item, String namespace, Configuration more) {
        return namespace(item, namespace, more.at("namespace"), false, "");
    }

    /// @param subjects of role bindings that move along: `none`, `allServiceAccounts`, or else the one called default
    static Item namespace(Item item, String namespace, List<FieldSpec> places, boolean unsetOnly, String subjects) {
        if (namespace.isEmpty() || (unsetOnly && !item.id().namespace().isEmpty())) {
            return item;
        }
        var id = item.id();
        var object = item.object();
        if (id.kind().equals("Namespace") && id.group().isEmpty()) {
            return item.moved(object.with(List.of("metadata", "name"), Json.of(namespace)));
        }
        if (!id.isClusterScoped()) {
            object = object.with(List.of("metadata", "namespace"), Json.of(namespace));
        }
        object = switch (id.kind()) {
            case "APIService" ->
                FieldPaths.change(object, List.of("spec", "service", "namespace"), true, _ -> Json.of(namespace));
            case "CustomResourceDefinition" ->
                FieldPaths.change(
                        object,
                        FieldPaths.split("spec/conversion/webhook/clientConfig/service/namespace"),
                        false,
                        _ -> Json.of(namespace));
            case "RoleBinding", "ClusterRoleBinding" -> subjects(object, namespace, subjects);
            default -> object;
        };
        for (var place : places) {
            if (place.isIn(id) && !place.path().equals("metadata/namespace")) {
                object = FieldPaths.change(
                        object, FieldPaths.split(place.path()), place.create(), _ -> Json.of(namespace));
            }
        }
        return item.moved(object);
    }

    /// Only the account that every namespace has: others follow the account they name.
    private static Json.Obj subjects(Json.Obj binding, String namespace, String which) {
        if (!(binding.get("subjects") instanceof Json.Arr subjects) || which.equals("none")) {
            return binding;
        }
        return binding.with(
                "subjects",
                subjects.map(subject -> subject instanceof Json.Obj account
                                && account.string("kind").equals("ServiceAccount")
                                && (which.equals("allServiceAccounts")
                                        || account.string("name").equals("default"))
                        ? account.with("namespace", Json.of(namespace))
                        : subject));
    }
}
