/// What Tekton's own ConfigMaps say: flags, defaults, where events go.
@NullMarked
package dev.towtank.controllers.pipelines.api.settings;

import org.jspecify.annotations.NullMarked;
