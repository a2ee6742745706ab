package dev.towtank.node.scheduling;

import java.util.List;

/// What becomes of a pod that waits for a node.
sealed interface Decision {

    record Bind() implements Decision {}

    /// The pod fits, and these claims of it wait for a node to be chosen.
    record ChooseFor(List<String> claims) implements Decision {
        public ChooseFor {
            claims = List.copyOf(claims);
        }
    }

    /// @param message as the scheduler of Kubernetes says it
    record Unschedulable(String message) implements Decision {

        private static final String PREEMPTION = " no new claims to deallocate, preemption: 0/1 nodes are available: 1 ";

        /// The node was looked at and does not fit.
        static Unschedulable node(List<String> reasons, boolean wouldFitAlone) {
            var sorted = reasons.stream().map(reason -> "1 " + reason).sorted().toList();
            return of(String.join(", ", sorted), wouldFitAlone);
        }

        /// No node would do.
        static Unschedulable anywhere(String reason) {
            return of(reason, false);
        }

        private static Unschedulable of(String reasons, boolean wouldFitAlone) {
            var preemption = wouldFitAlone
                    ? "No preemption victims found for incoming pod."
                    : "Preemption is not helpful for scheduling.";
            return new Unschedulable("0/1 nodes are available: " + reasons + "." + PREEMPTION + preemption);
        }
    }
}
