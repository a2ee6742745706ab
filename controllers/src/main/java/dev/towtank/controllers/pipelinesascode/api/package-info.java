/// The kinds of Pipelines-as-Code.
@NullMarked
package dev.towtank.controllers.pipelinesascode.api;

import org.jspecify.annotations.NullMarked;
