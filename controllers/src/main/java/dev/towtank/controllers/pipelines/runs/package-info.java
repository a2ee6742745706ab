/// What runs of all kinds share: their settings, the definitions they refer to, the names of their children, and the
/// way they tell how it went.
@NullMarked
package dev.towtank.controllers.pipelines.runs;

import org.jspecify.annotations.NullMarked;
