package dev.towtank.controllers.secrets;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;

/// @param namespaces that are chosen, in the order of their names
/// @param problem why they cannot be chosen; empty where they can
/// @param present ExternalSecrets of the wanted name by namespace, whoever made them
/// @param owned ExternalSecrets that it made, under whatever name
record ClusterExternalSecretFacts(
        List<Resource> namespaces, String problem, Map<String, Resource> present, List<Resource> owned) {

    ClusterExternalSecretFacts {
        namespaces = List.copyOf(namespaces);
        present = Map.copyOf(present);
        owned = List.copyOf(owned);
    }
}
