/// Builds in the manner of OpenShift: BuildConfigs, Builds, and the ImageStreams that they write to.
@NullMarked
package dev.towtank.controllers.builds;

import org.jspecify.annotations.NullMarked;
