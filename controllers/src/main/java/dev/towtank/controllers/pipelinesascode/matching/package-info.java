/// Which of a repository's runs an event is for, and what they come to: pure.
@NullMarked
package dev.towtank.controllers.pipelinesascode.matching;

import org.jspecify.annotations.NullMarked;
