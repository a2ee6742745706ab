/// What keeps pods in order besides their owners: disruption budgets, and the removal of pods that nobody needs.
@NullMarked
package dev.towtank.controllers.workloads.upkeep;

import org.jspecify.annotations.NullMarked;
