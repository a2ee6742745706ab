/// What workloads are told by the node beside objects.
@NullMarked
package dev.towtank.controllers.workloads.source;

import org.jspecify.annotations.NullMarked;
