package dev.towtank.archive.watch;

import dev.towtank.cluster.Plan;
import java.util.Optional;

/// First the deed, which must succeed; then the plan.
public record Decision(Optional<Archiving> deed, Plan plan) {

    static final Decision NONE = new Decision(Optional.empty(), Plan.NONE);

    static Decision of(Plan plan) {
        return new Decision(Optional.empty(), plan);
    }
}
