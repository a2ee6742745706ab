/// What images are made by: Dockerfiles, and the packages that programs in Python ask for. Text in, values out.
@NullMarked
package dev.towtank.controllers.builds.recipe;

import org.jspecify.annotations.NullMarked;
