/// What all workloads know about pods and other children: their state, their names, whose they are.
@NullMarked
package dev.towtank.controllers.workloads.pods;

import org.jspecify.annotations.NullMarked;
