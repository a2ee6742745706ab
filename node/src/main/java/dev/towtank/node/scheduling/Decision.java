package dev.towtank.node.scheduling;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What becomes of a pod that waits for a node.
sealed interface Decision {

    record Bind(String node) implements Decision {}

    /// The pod fits, and these claims of it wait for a node to be chosen.
    record ChooseFor(String node, List<String> claims) implements Decision {
        public ChooseFor {
            claims = List.copyOf(claims);
        }
    }

    /// Why a node does not do.
    ///
    /// @param wouldFitAlone whether other pods are in the way
    record Misfit(List<String> reasons, boolean wouldFitAlone) {
        Misfit(String reason) {
            this(List.of(reason), false);
        }

        private String preemption() {
            return wouldFitAlone
                    ? "No preemption victims found for incoming pod"
                    : "Preemption is not helpful for scheduling";
        }
    }

    /// @param message as the scheduler of Kubernetes says it
    record Unschedulable(String message) implements Decision {

        /// All nodes were looked at, and none fits.
        static Unschedulable nodes(List<Misfit> misfits) {
            return of(
                    misfits.size(),
                    counted(misfits.stream()
                            .flatMap(misfit -> misfit.reasons.stream())
                            .toList()),
                    counted(misfits.stream().map(Misfit::preemption).toList()));
        }

        /// No node would do.
        static Unschedulable anywhere(int nodes, String reason) {
            return of(nodes, reason, nodes + " Preemption is not helpful for scheduling");
        }

        private static Unschedulable of(int nodes, String reasons, String preemption) {
            var none = "0/" + nodes + " nodes are available: ";
            return new Unschedulable(
                    none + reasons + ". no new claims to deallocate, preemption: " + none + preemption + ".");
        }

        private static String counted(List<String> reasons) {
            return reasons.stream()
                    .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()))
                    .entrySet()
                    .stream()
                    .map(entry -> entry.getValue() + " " + entry.getKey())
                    .sorted()
                    .collect(Collectors.joining(", "));
        }
    }
}
