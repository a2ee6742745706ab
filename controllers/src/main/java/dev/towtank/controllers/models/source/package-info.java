/// What asks models for what they have seen, and tells others about it.
@NullMarked
package dev.towtank.controllers.models.source;

import org.jspecify.annotations.NullMarked;
