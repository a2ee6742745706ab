/// The kinds of `batch/v1`: pods that run to their end, once or on a schedule.
@NullMarked
package dev.towtank.model.kinds.batch;

import org.jspecify.annotations.NullMarked;
