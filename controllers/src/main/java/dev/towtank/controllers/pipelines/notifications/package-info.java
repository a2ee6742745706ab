/// Tells the outside how runs go: numbers for [dev.towtank.cluster.Meters], and CloudEvents for a sink.
@NullMarked
package dev.towtank.controllers.pipelines.notifications;

import org.jspecify.annotations.NullMarked;
