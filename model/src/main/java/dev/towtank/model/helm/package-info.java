/// Helm charts as values: what is in them, how values become those of each chart, and what their templates write.
///
/// [Chart#of] reads the files of a chart, [Helm#render] renders them. Nothing here reads anything but what it is given.
@NullMarked
package dev.towtank.model.helm;

import org.jspecify.annotations.NullMarked;
