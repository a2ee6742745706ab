package dev.towtank.controllers.workloads.autoscaling;

import dev.towtank.controllers.workloads.autoscaling.AutoscalerReconciler.Facts;
import dev.towtank.controllers.workloads.autoscaling.ReplicaCount.Unknown;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.kinds.ResourceLists;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What all metrics of an autoscaler ask for: the largest number counts.
///
/// @param replicas 0 where no metric is known
/// @param metric which one asks for it
/// @param statuses of all, in their order
record MetricProposals(long replicas, String metric, List<Json> statuses, List<Problem> problems, int count) {

    private static final double USUAL_TOLERANCE = 0.1;

    /// @param reason for the condition
    /// @param cause what happened
    /// @param whole with what it was for
    record Problem(String reason, String cause, String whole) {}

    MetricProposals {
        statuses = List.copyOf(statuses);
        problems = List.copyOf(problems);
    }

    /// Where some are not known, nobody goes down by what the others say.
    boolean isUseless(long current) {
        return problems.size() >= count || (!problems.isEmpty() && replicas < current);
    }

    String problem() {
        return "invalid metrics (" + problems.size() + " invalid out of " + count + "), first error is: "
                + problems.getFirst().whole();
    }

    static MetricProposals of(Json.Obj spec, Facts facts, long current, Instant now) {
        var statuses = new ArrayList<Json>();
        var problems = new ArrayList<Problem>();
        long replicas = 0;
        var metric = "";
        var all = spec.objects("metrics");
        for (var each : all) {
            try {
                var source = Source.of(each);
                var proposal = proposal(source, spec, facts, current, now);
                statuses.add(status(source, proposal));
                if (replicas == 0 || proposal.replicas() > replicas) {
                    replicas = proposal.replicas();
                    metric = source.description();
                }
            } catch (Unknown e) {
                statuses.add(Json.Obj.of("type", Json.of("")));
                problems.add(problem(each, e.text()));
            }
        }
        return new MetricProposals(replicas, metric, statuses, problems, all.size());
    }

    /// A metric about a resource.
    ///
    /// @param field `resource` or `containerResource`
    private record Source(String type, String field, Json.Obj metric) {

        static Source of(Json.Obj metric) throws Unknown {
            return switch (metric.string("type")) {
                case "Resource" -> new Source("Resource", "resource", metric.object("resource"));
                case "ContainerResource" ->
                    new Source("ContainerResource", "containerResource", metric.object("containerResource"));
                case "External" -> throw new Unknown(notThere("external"));
                default -> throw new Unknown(notThere("custom"));
            };
        }

        private static String notThere(String api) {
            return "unable to fetch metrics from " + api + " metrics API: no " + api + " metrics API (" + api
                    + ".metrics.k8s.io) registered";
        }

        String name() {
            return metric.string("name");
        }

        String container() {
            return metric.string("container");
        }

        boolean isUtilization() {
            return !metric.object("target").has("averageValue");
        }

        String description() {
            if (!isUtilization()) {
                return name() + " resource";
            }
            return name() + (type.equals("Resource") ? "" : " container")
                    + " resource utilization (percentage of request)";
        }
    }

    private static ReplicaCount.Proposal proposal(Source source, Json.Obj spec, Facts facts, long current, Instant now)
            throws Unknown {
        var tolerance = new ReplicaCount.Tolerance(tolerance(spec, "scaleDown"), tolerance(spec, "scaleUp"));
        var count = new ReplicaCount(source.name(), source.container(), tolerance);
        var target = source.metric().object("target");
        try {
            return source.isUtilization()
                    ? count.forUtilization(
                            current, target.integer("averageUtilization"), facts.pods(), facts.usage(), now)
                    : count.forAverage(current, milli(target.get("averageValue")), facts.pods(), facts.usage(), now);
        } catch (Unknown e) {
            var what = source.isUtilization() ? " utilization: " : " usage: ";
            throw new Unknown("failed to get " + source.name() + what + e.text());
        }
    }

    private static double tolerance(Json.Obj spec, String direction) {
        return ResourceLists.quantity(spec.at("behavior", direction, "tolerance"))
                .map(amount -> amount.amount().doubleValue())
                .orElse(USUAL_TOLERANCE);
    }

    private static long milli(@Nullable Json amount) {
        return ResourceLists.quantity(amount).map(Quantity::milliValue).orElse(1L);
    }

    private static Json.Obj status(Source source, ReplicaCount.Proposal proposal) {
        var amount = BigDecimal.valueOf(proposal.average(), 3);
        var format = source.name().equals("memory") ? Quantity.Format.BINARY : Quantity.Format.DECIMAL;
        var current =
                Json.Obj.of("averageValue", Json.of(Quantity.of(amount, format).toString()));
        if (source.isUtilization()) {
            current = current.with("averageUtilization", Json.of(proposal.utilization()));
        }
        var about = source.type().equals("Resource")
                ? Json.Obj.of("name", Json.of(source.name()))
                : Json.Obj.of("name", Json.of(source.name()), "container", Json.of(source.container()));
        return Json.Obj.of("type", Json.of(source.type()), source.field(), about.with("current", current));
    }

    private static Problem problem(Json.Obj metric, String cause) {
        var type = metric.string("type");
        var what = switch (type) {
            case "Resource" -> metric.string("resource", "name") + " resource metric value";
            case "ContainerResource" -> metric.string("containerResource", "container") + " container metric value";
            case "External" -> metric.string("external", "metric", "name") + " external metric value";
            case "Pods" -> "pods metric value";
            default -> "object metric value";
        };
        return new Problem("FailedGet" + type + "Metric", cause, "failed to get " + what + ": " + cause);
    }
}
