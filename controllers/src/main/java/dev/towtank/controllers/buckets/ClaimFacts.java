package dev.towtank.controllers.buckets;

import dev.towtank.model.Resource;
import java.util.Optional;

/// What there is around a claim.
///
/// @param storageClass the one that it names
/// @param secret the one of its name, whoever's it is
/// @param configMap the same
/// @param bucket its ObjectBucket
record ClaimFacts(
        Optional<Resource> storageClass,
        Optional<Resource> secret,
        Optional<Resource> configMap,
        Optional<Resource> bucket,
        Doorway doorway) {}
