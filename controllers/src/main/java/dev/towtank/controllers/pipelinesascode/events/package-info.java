/// What forges tell: pushes, pull requests and comments, as one value.
@NullMarked
package dev.towtank.controllers.pipelinesascode.events;

import org.jspecify.annotations.NullMarked;
