package dev.towtank.app.secrets;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All that is known about a chain.
///
/// @param storeKind SecretStore or ClusterSecretStore
/// @param storeEvent what was last told about the store, where it was a warning
/// @param otherStores names of those that are there in place of a missing one
/// @param sources what is read through a store of this server
/// @param missingVerbs what the store's account may not do with Secrets
/// @param pods that use the target
/// @param bucket what an object store says to the keys in the target, where it was asked
record ChainFacts(
        Resource externalSecret,
        String storeKind,
        String storeName,
        Optional<Resource> store,
        String storeEvent,
        List<String> otherStores,
        List<Source> sources,
        List<String> missingVerbs,
        Optional<Resource> target,
        List<Resource> pods,
        Optional<BucketAnswer> bucket) {

    /// A Secret that values are read of.
    ///
    /// @param properties that are asked for, with the field that does; empty for the whole of it
    /// @param claim that makes it
    /// @param elsewhere namespaces that have one of its name, where its own has none
    record Source(
            String namespace,
            String name,
            Map<String, String> properties,
            Optional<Resource> secret,
            Optional<Resource> claim,
            List<String> elsewhere) {

        Source {
            properties = Map.copyOf(properties);
            elsewhere = List.copyOf(elsewhere);
        }

        String title() {
            return namespace + "/" + name;
        }
    }

    /// @param problem a code such as InvalidAccessKeyId, or why nobody answered; empty where the keys open the bucket
    record BucketAnswer(String bucket, String endpoint, String problem) {}

    ChainFacts {
        otherStores = List.copyOf(otherStores);
        sources = List.copyOf(sources);
        missingVerbs = List.copyOf(missingVerbs);
        pods = List.copyOf(pods);
    }
}
