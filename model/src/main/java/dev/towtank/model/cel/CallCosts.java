package dev.towtank.model.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.towtank.model.cel.CostEstimation.Entries;
import dev.towtank.model.cel.CostEstimation.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What calls of functions may cost: those of the language, and those that Kubernetes adds.
final class CallCosts {

    static final double TEXT = 0.1;
    static final double REGEX = 0.25;
    private static final int NAME_FORMAT_REGEX = 128;
    private static final Cost ADDRESS = new Cost(4, 16);

    /// Types whose values are compared at once, whatever they hold.
    static final Set<String> ATOMIC_TYPES =
            Set.of("net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.URL", "kubernetes.Semver");

    private final CostEstimation estimation;

    CallCosts(CostEstimation estimation) {
        this.estimation = estimation;
    }

    /// @param size of the result, null where nothing is known
    record Estimate(Cost cost, @Nullable Cost size) {
        static Estimate of(Cost cost) {
            return new Estimate(cost, null);
        }

        Estimate plus(Cost other) {
            return new Estimate(cost.plus(other), size);
        }
    }

    Estimate estimate(
            CelExpr expression, String overload, @Nullable Node target, List<Node> arguments, List<Cost> costs) {
        var sum = Cost.ZERO;
        for (var cost : costs) {
            sum = sum.plus(cost);
        }
        var function = expression.call().function();
        var list = ofLists(function, overload, target, arguments);
        if (list != null) {
            return list.plus(sum);
        }
        var added = target == null ? global(function, arguments) : member(function, overload, target, arguments);
        return added == null ? ofLanguage(expression, overload, target, arguments, costs, sum) : added.plus(sum);
    }

    private @Nullable Estimate ofLists(String function, String overload, @Nullable Node target, List<Node> arguments) {
        if (function.startsWith("sets.") && arguments.size() == 2) {
            double factor = function.equals("sets.equivalent") ? 2 : 1;
            return Estimate.of(size(arguments.get(0))
                    .times(size(arguments.get(1)))
                    .times(factor)
                    .plus(Cost.ONE));
        }
        if (target == null || !overload.startsWith("list_")) {
            return null;
        }
        var size = size(target);
        return switch (function) {
            case "slice" ->
                allocated(1, Cost.of(Math.max(0, number(arguments.get(1), size.max()) - number(arguments.get(0), 0))));
            case "reverse" -> allocated(1, size);
            case "flatten" ->
                allocated((double) (arguments.isEmpty() ? 1 : number(arguments.getFirst(), Long.MAX_VALUE)), size);
            case "distinct" -> allocated(2, size.times(size));
            case "sort" -> sorted(size, target.type());
            case "@sortByAssociatedKeys" ->
                sorted(size(arguments.getFirst()), arguments.getFirst().type());
            default -> null;
        };
    }

    private static Estimate sorted(Cost size, CelType list) {
        boolean texts = !list.parameters().isEmpty() && isText(list.parameters().getFirst());
        return allocated(texts ? 2 + TEXT : 2, size.times(size));
    }

    private static Estimate allocated(double factor, Cost size) {
        return new Estimate(size.times(factor).plus(Cost.ONE).plus(Cost.of(10)), size);
    }

    private static long number(Node node, long otherwise) {
        return node.expression().getKind() == CelExpr.ExprKind.Kind.CONSTANT
                        && node.expression().constant().getKind() == CelConstant.Kind.INT64_VALUE
                ? node.expression().constant().int64Value()
                : otherwise;
    }

    private @Nullable Estimate global(String function, List<Node> arguments) {
        return switch (function) {
            case "url" -> new Estimate(size(arguments.getFirst()).times(TEXT), size(arguments.getFirst()));
            case "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver" ->
                Estimate.of(size(arguments.getFirst()).times(TEXT));
            case "ip.isCanonical" -> Estimate.of(size(arguments.getFirst()).times(2 * TEXT));
            case "format.named" -> Estimate.of(Cost.ONE);
            case "_==_" -> atomicEquality(arguments);
            default -> null;
        };
    }

    private static @Nullable Estimate atomicEquality(List<Node> arguments) {
        var type = arguments.getFirst().type();
        return type.equals(arguments.getLast().type()) && ATOMIC_TYPES.contains(type.name())
                ? Estimate.of(Cost.ONE)
                : null;
    }

    private @Nullable Estimate member(String function, String overload, Node target, List<Node> arguments) {
        return switch (function) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes" -> walk(function, target);
            case "lowerAscii", "upperAscii", "substring", "trim" ->
                new Estimate(size(target).times(TEXT), size(target));
            case "replace" -> arguments.size() < 2 ? null : replace(target, arguments);
            case "split" ->
                new Estimate(
                        size(target).times(2 * TEXT),
                        new Cost(
                                0,
                                arguments.size() > 1
                                        ? number(arguments.get(1), size(target).max())
                                        : size(target).max()));
            case "join" -> join(target, arguments);
            case "find", "findAll" -> find(target, arguments);
            case "containsIP", "containsCIDR" -> contains(function, overload, arguments);
            case "validate" ->
                Estimate.of(size(arguments.getFirst()).times(TEXT).times(NAME_FORMAT_REGEX * REGEX));
            case "ip",
                    "masked",
                    "prefixLength",
                    "family",
                    "isUnspecified",
                    "isLoopback",
                    "isLinkLocalMulticast",
                    "isLinkLocalUnicast",
                    "isGlobalUnicast",
                    "sign",
                    "asInteger",
                    "isInteger",
                    "asApproximateFloat",
                    "isGreaterThan",
                    "isLessThan",
                    "compareTo",
                    "add",
                    "sub",
                    "major",
                    "minor",
                    "patch",
                    "getScheme",
                    "getHostname",
                    "getHost",
                    "getPort",
                    "getEscapedPath",
                    "getQuery" -> Estimate.of(Cost.ONE);
            default -> null;
        };
    }

    private Estimate walk(String function, Node target) {
        if (!target.type().parameters().isEmpty()) {
            var each = Cost.ONE;
            if (isText(target.type().parameters().getFirst())) {
                each = each.plus(elementSize(target).times(TEXT));
            }
            return Estimate.of(size(target).times(each));
        }
        return Estimate.of(
                function.equals("includes") ? size(target) : size(target).times(TEXT));
    }

    private Cost elementSize(Node list) {
        if (list.path().isEmpty()) {
            return Cost.UNKNOWN;
        }
        var path = new ArrayList<>(list.path());
        path.add("@items");
        return estimation.sizeAt(path);
    }

    // The longest result replaces the shortest text by the longest as often as it fits, the shortest the other way.
    private Estimate replace(Node target, List<Node> arguments) {
        var text = size(target);
        var from = size(arguments.get(0));
        var to = size(arguments.get(1));
        long mostTimes = 0;
        long mostKept = 0;
        if (from.min() == 0) {
            mostTimes = Cost.sum(text.max(), 1);
            mostKept = text.max();
        } else if (to.max() <= from.min()) {
            mostKept = text.max();
        } else {
            mostTimes = quotient(text.max(), from.min());
        }
        long leastTimes = 0;
        long leastKept = 0;
        if (from.max() == 0) {
            leastTimes = Cost.sum(text.min(), 1);
            leastKept = text.min();
        } else if (from.max() <= to.min()) {
            leastKept = text.min();
        } else {
            leastTimes = quotient(text.min(), from.max());
        }
        var size = new Cost(leastTimes, mostTimes).times(to).plus(new Cost(leastKept, mostKept));
        return new Estimate(text.times(2 * TEXT), size);
    }

    private static long quotient(long number, long divisor) {
        return (long) Math.ceil((double) number / divisor);
    }

    private Estimate join(Node target, List<Node> arguments) {
        var count = size(target);
        var size = target.type().parameters().isEmpty() ? Cost.ZERO : count.times(elementSize(target));
        if (!arguments.isEmpty()) {
            var separators = new Cost(Math.max(0, count.min() - 1), Math.max(0, count.max() - 1));
            size = size.plus(size(arguments.getFirst()).times(separators));
        }
        return new Estimate(size.times(TEXT), size);
    }

    private Estimate find(Node target, List<Node> arguments) {
        var text = size(target);
        var cost =
                text.plus(Cost.ONE).times(TEXT).times(size(arguments.getFirst()).times(REGEX));
        return new Estimate(cost, new Cost(0, text.max()));
    }

    private Estimate contains(String function, String overload, List<Node> arguments) {
        var cost = ADDRESS.plus(ADDRESS).times(TEXT);
        if (function.equals("containsCIDR")) {
            cost = cost.plus(ADDRESS.times(TEXT)).plus(Cost.ONE);
        }
        return Estimate.of(
                overload.endsWith("_string")
                        ? cost.plus(size(arguments.getFirst()).times(TEXT))
                        : cost);
    }

    private Estimate ofLanguage(
            CelExpr expression,
            String overload,
            @Nullable Node target,
            List<Node> arguments,
            List<Cost> costs,
            Cost sum) {
        return switch (overload) {
            case "logical_or", "logical_and" ->
                Estimate.of(new Cost(
                        costs.get(0).min(), costs.get(0).plus(costs.get(1)).max()));
            case "conditional" -> conditional(expression, arguments, costs);
            case "add_string", "add_bytes", "add_list" ->
                concatenation(expression, overload, arguments).plus(sum);
            case "string_format" ->
                Estimate.of(target == null ? Cost.ONE : size(target).times(TEXT))
                        .plus(sum);
            case "string_to_bytes" -> {
                var size = size(arguments.getFirst());
                yield new Estimate(size.times(TEXT), new Cost(size.min(), Cost.product(size.max(), 4))).plus(sum);
            }
            case "bytes_to_string" -> {
                var size = size(arguments.getFirst());
                yield new Estimate(size.times(TEXT), new Cost(size.min() / 4, size.max())).plus(sum);
            }
            case "strings_quote" -> {
                var size = size(arguments.getFirst());
                yield new Estimate(size.times(TEXT), size.times(new Cost(1, 2)).plus(Cost.of(2))).plus(sum);
            }
            case "starts_with_string", "ends_with_string" ->
                Estimate.of(size(arguments.getFirst()).times(TEXT)).plus(sum);
            case "in_list" -> Estimate.of(size(arguments.get(1))).plus(sum);
            case "matches_string" ->
                target == null
                        ? Estimate.of(Cost.ONE).plus(sum)
                        : Estimate.of(find(target, arguments).cost()).plus(sum);
            case "contains_string" ->
                target == null
                        ? Estimate.of(Cost.ONE).plus(sum)
                        : Estimate.of(size(target)
                                        .times(TEXT)
                                        .times(size(arguments.getFirst()).times(TEXT)))
                                .plus(sum);
            case "less_string",
                    "greater_string",
                    "less_equals_string",
                    "greater_equals_string",
                    "less_bytes",
                    "greater_bytes",
                    "less_equals_bytes",
                    "greater_equals_bytes",
                    "equals",
                    "not_equals" -> comparison(arguments).plus(sum);
            default -> Estimate.of(Cost.ONE).plus(sum);
        };
    }

    private Estimate conditional(CelExpr expression, List<Node> arguments, List<Cost> costs) {
        estimation.setEntries(
                expression,
                Entries.union(
                        estimation.entries(arguments.get(1).expression()),
                        estimation.entries(arguments.get(2).expression())));
        return new Estimate(
                costs.get(0).plus(costs.get(1).union(costs.get(2))),
                size(arguments.get(1)).union(size(arguments.get(2))));
    }

    private Estimate concatenation(CelExpr expression, String overload, List<Node> arguments) {
        estimation.setEntries(
                expression,
                Entries.union(
                        estimation.entries(arguments.get(0).expression()),
                        estimation.entries(arguments.get(1).expression())));
        var size = size(arguments.get(0)).plus(size(arguments.get(1)));
        return new Estimate(overload.equals("add_list") ? Cost.ONE : size.times(TEXT), size);
    }

    private static Estimate comparison(List<Node> arguments) {
        long most =
                Math.min(size(arguments.get(0)).max(), size(arguments.get(1)).max());
        return Estimate.of(new Cost(most > 0 ? 1 : 0, most).times(TEXT));
    }

    private static Cost size(Node node) {
        var size = node.size();
        return size == null ? Cost.UNKNOWN : size;
    }

    private static boolean isText(CelType type) {
        return type.kind() == CelKind.STRING || type.kind() == CelKind.BYTES;
    }
}
