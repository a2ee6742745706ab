package dev.towtank.node.scheduling;

import dev.towtank.model.Resource;
import java.util.Optional;

/// What the scheduler asks about claims.
interface Storage {

    Optional<Resource> claim(Resource pod, String name);

    Optional<Resource> storageClass(Resource claim);
}
