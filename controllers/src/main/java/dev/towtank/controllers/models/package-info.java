/// Models and their versions: which one serves, which one did before, and what the gate said about each.
@NullMarked
package dev.towtank.controllers.models;

import org.jspecify.annotations.NullMarked;
