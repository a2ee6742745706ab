package dev.towtank.controllers.buckets;

import dev.towtank.model.Resource;
import java.util.Optional;

/// What there is around a claim.
///
/// @param storageClass the one that it names
/// @param secret the one of its name, whoever's it is
/// @param configMap the same
/// @param bucket its ObjectBucket
/// @param alias the Secret of the second name that the claim asks for
/// @param admin the Secret by which the class's object store elsewhere is opened
record ClaimFacts(
        Optional<Resource> storageClass,
        Optional<Resource> secret,
        Optional<Resource> configMap,
        Optional<Resource> bucket,
        Optional<Resource> alias,
        Optional<Resource> admin,
        Doorway doorway) {}
