package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Set;

/// Prefixes, suffixes and namespaces.
final class Names {

    // Their names are made of other names, or are known outside.
    private static final Set<String> KEPT = Set.of("CustomResourceDefinition", "APIService", "Namespace");

    private Names() {}

    static Item affix(Item item, String prefix, String suffix) {
        if ((prefix.isEmpty() && suffix.isEmpty()) || KEPT.contains(item.id().kind())) {
            return item;
        }
        var name = prefix + item.id().name() + suffix;
        return item.moved(item.object().with(List.of("metadata", "name"), Json.of(name)))
                .affixed(prefix + "*" + suffix);
    }

    static Item namespace(Item item, String namespace) {
        if (namespace.isEmpty()) {
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
                Fields.change(object, List.of("spec", "service", "namespace"), true, _ -> Json.of(namespace));
            case "CustomResourceDefinition" ->
                Fields.change(
                        object,
                        Fields.split("spec/conversion/webhook/clientConfig/service/namespace"),
                        false,
                        _ -> Json.of(namespace));
            case "RoleBinding", "ClusterRoleBinding" -> subjects(object, namespace);
            default -> object;
        };
        return item.moved(object);
    }

    /// Only the account that every namespace has: others follow the account they name.
    private static Json.Obj subjects(Json.Obj binding, String namespace) {
        if (!(binding.get("subjects") instanceof Json.Arr subjects)) {
            return binding;
        }
        return binding.with(
                "subjects",
                subjects.map(subject -> subject instanceof Json.Obj account
                                && account.string("kind").equals("ServiceAccount")
                                && account.string("name").equals("default")
                        ? account.with("namespace", Json.of(namespace))
                        : subject));
    }
}
