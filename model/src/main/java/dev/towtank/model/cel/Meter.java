package dev.towtank.model.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Counts what is evaluated, in Kubernetes' units: a step each, and by their size the texts and lists that a call
/// walks.
final class Meter implements CelEvaluationListener {

    private static final Set<String> CONVERSIONS =
            Set.of("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint");

    /// What is known of an expression before it is evaluated.
    ///
    /// @param branches those that a condition chooses from: such a value is taken without a step of its own
    /// @param multiplied the calls that may make much of little, by each of their arguments
    record Plan(CelAbstractSyntaxTree tree, Set<Long> branches, Map<Long, CelExpr.CelCall> multiplied) {
        static Plan of(CelAbstractSyntaxTree tree) {
            var branches = new HashSet<Long>();
            var multiplied = new HashMap<Long, CelExpr.CelCall>();
            collect(tree.getExpr(), branches, multiplied);
            return new Plan(tree, Set.copyOf(branches), Map.copyOf(multiplied));
        }

        Optional<CelExpr.CelCall> multiplying(long argument) {
            return Optional.ofNullable(multiplied.get(argument));
        }

        private static void collect(CelExpr expression, Set<Long> branches, Map<Long, CelExpr.CelCall> multiplied) {
            switch (expression.getKind()) {
                case NOT_SET, CONSTANT, IDENT -> {}
                case SELECT -> collect(expression.select().operand(), branches, multiplied);
                case LIST -> expression.list().elements().forEach(each -> collect(each, branches, multiplied));
                case STRUCT ->
                    expression.struct().entries().forEach(each -> collect(each.value(), branches, multiplied));
                case MAP ->
                    expression.map().entries().forEach(each -> {
                        collect(each.key(), branches, multiplied);
                        collect(each.value(), branches, multiplied);
                    });
                case CALL -> {
                    var call = expression.call();
                    if (call.function().equals("_?_:_")) {
                        branches.add(call.args().get(1).id());
                        branches.add(call.args().get(2).id());
                    }
                    if (call.function().equals("join") || call.function().equals("replace")) {
                        call.target().ifPresent(target -> multiplied.put(target.id(), call));
                        call.args().forEach(each -> multiplied.put(each.id(), call));
                    }
                    call.target().ifPresent(target -> collect(target, branches, multiplied));
                    call.args().forEach(each -> collect(each, branches, multiplied));
                }
                case COMPREHENSION -> {
                    var loop = expression.comprehension();
                    for (var part : List.of(
                            loop.iterRange(), loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result())) {
                        collect(part, branches, multiplied);
                    }
                }
            }
        }
    }

    /// Texts and lists that nobody could write: Kubernetes' costs do not see how some calls multiply what they are
    /// given.
    static final long MOST_SIZE = 4L * 1024 * 1024;

    private final Plan plan;
    private final long limit;
    // By expression: what calls walk, they find here.
    private final Map<Long, Object> values = new HashMap<>();
    private long previous = -1;
    private long cost;

    Meter(Plan plan, long limit) {
        this.plan = plan;
        this.limit = limit;
    }

    long cost() {
        return cost;
    }

    boolean isOver() {
        return cost > limit;
    }

    @Override
    public void callback(CelExpr expression, @Nullable Object result) {
        // A test for presence is told twice.
        boolean again = expression.id() == previous
                && expression.getKind() == CelExpr.ExprKind.Kind.SELECT
                && expression.select().testOnly();
        previous = expression.id();
        if (!again) {
            cost = Cost.sum(cost, cost(expression, result));
        }
        if (result != null) {
            values.put(expression.id(), result);
            checkSize(size(result));
            plan.multiplying(expression.id()).ifPresent(call -> checkSize(grown(call)));
        }
        if (isOver()) {
            throw new JsonValues.Missing("operation cancelled: actual cost limit exceeded");
        }
    }

    private void checkSize(long size) {
        if (size > MOST_SIZE) {
            cost = Math.max(cost, Cost.sum(limit, 1));
        }
    }

    /// The most that comes of a call, before it is made: it would be too late afterwards.
    private long grown(CelExpr.CelCall call) {
        long whole = size(argument(call, 0));
        if (call.function().equals("join")) {
            long texts = argument(call, 0) instanceof List<?> list
                    ? list.stream().mapToLong(Meter::size).sum()
                    : 0;
            return Cost.sum(texts, Cost.product(whole, length(argument(call, 1))));
        }
        long places = whole / Math.max(1, length(argument(call, 1))) + 1;
        return Cost.sum(whole, Cost.product(places, length(argument(call, 2))));
    }

    private static long length(@Nullable Object value) {
        return value instanceof String text ? text.length() : 0;
    }

    private long cost(CelExpr expression, @Nullable Object result) {
        return switch (expression.getKind()) {
            case CONSTANT, NOT_SET, COMPREHENSION -> 0;
            case IDENT -> isType(expression) ? 0 : chosen(expression, 1);
            case SELECT -> chosen(expression, steps(expression));
            case LIST -> isConstant(expression) ? 0 : 10;
            case MAP -> isConstant(expression) ? 0 : 30;
            case STRUCT -> 40;
            case CALL -> call(expression, result);
        };
    }

    private boolean isType(CelExpr expression) {
        return plan.tree
                .getType(expression.id())
                .map(type -> type.kind() == CelKind.TYPE)
                .orElse(false);
    }

    private long chosen(CelExpr expression, long steps) {
        return plan.branches.contains(expression.id()) ? steps - 1 : steps;
    }

    // A path through the data is told once, as a whole.
    private static long steps(CelExpr expression) {
        long steps = expression.select().testOnly() ? 0 : 1;
        var operand = expression.select().operand();
        while (operand.getKind() == CelExpr.ExprKind.Kind.SELECT
                && !operand.select().testOnly()) {
            steps++;
            operand = operand.select().operand();
        }
        return operand.getKind() == CelExpr.ExprKind.Kind.IDENT ? steps + 1 : steps;
    }

    // Kubernetes computes these once, when it compiles.
    private static boolean isConstant(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT -> true;
            case LIST -> expression.list().elements().stream().allMatch(Meter::isConstant);
            case MAP ->
                expression.map().entries().stream()
                        .allMatch(entry -> isConstant(entry.key()) && isConstant(entry.value()));
            case CALL ->
                CONVERSIONS.contains(expression.call().function())
                        && expression.call().args().stream().allMatch(Meter::isConstant);
            case NOT_SET, IDENT, SELECT, STRUCT, COMPREHENSION -> false;
        };
    }

    private long call(CelExpr expression, @Nullable Object result) {
        var call = expression.call();
        if (isConstant(expression)) {
            return 0;
        }
        return switch (call.function()) {
            case "_&&_", "_||_", "_?_:_" -> 0;
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" ->
                traversed(Math.min(size(argument(call, 0)), size(argument(call, 1))));
            case "_+_" ->
                result instanceof String || result instanceof CelByteString
                        ? traversed(size(argument(call, 0)) + size(argument(call, 1)))
                        : 1;
            case "@in" -> {
                if (isConstant(call.args().get(1))) {
                    yield 0;
                }
                yield isOverload(expression, "in_list") ? size(argument(call, 1)) : 1;
            }
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes" -> traversal(argument(call, 0));
            case "startsWith", "endsWith" -> traversed(size(argument(call, 1)));
            // The step is that of the key, where it is no constant.
            case "_[_]" ->
                switch (call.args().get(1).getKind()) {
                    case IDENT, SELECT -> 0;
                    case CONSTANT, NOT_SET, CALL, LIST, MAP, STRUCT, COMPREHENSION -> 1;
                };
            case "format",
                    "strings.quote",
                    "url",
                    "lowerAscii",
                    "upperAscii",
                    "substring",
                    "trim",
                    "cidr",
                    "isIP",
                    "isCIDR",
                    "quantity",
                    "isQuantity",
                    "semver",
                    "isSemver" -> traversed(size(argument(call, 0)));
            case "ip" -> isOverload(expression, "cidr_ip") ? 1 : traversed(size(argument(call, 0)));
            case "string", "bytes" ->
                isOverload(expression, "bytes_to_string") || isOverload(expression, "string_to_bytes")
                        ? traversed(size(argument(call, 0)))
                        : 1;
            case "replace", "split", "ip.isCanonical" -> traversed(2 * size(argument(call, 0)));
            case "join" -> traversed(2 * size(result));
            case "matches", "find", "findAll" ->
                Cost.product(traversed(1 + size(argument(call, 0))), expressions(size(argument(call, 1))));
            case "contains" -> Cost.product(traversed(size(argument(call, 0))), traversed(size(argument(call, 1))));
            case "sets.contains", "sets.intersects" -> 1 + size(argument(call, 0)) * size(argument(call, 1));
            case "sets.equivalent" -> 1 + 2 * size(argument(call, 0)) * size(argument(call, 1));
            case "slice", "reverse" -> 11 + size(result);
            case "flatten" -> 11 + size(argument(call, 0));
            case "distinct", "sort", "@sortByAssociatedKeys" ->
                11 + 2 * size(argument(call, 0)) * size(argument(call, 0));
            default -> 1;
        };
    }

    private boolean isOverload(CelExpr expression, String overload) {
        return plan.tree
                .getReference(expression.id())
                .map(reference -> reference.overloadIds().contains(overload))
                .orElse(false);
    }

    /// The target of a member call counts as its first argument.
    private @Nullable Object argument(CelExpr.CelCall call, int index) {
        int first = call.target().isPresent() ? 1 : 0;
        if (index < first) {
            return call.target().map(target -> values.get(target.id())).orElse(null);
        }
        return index - first < call.args().size()
                ? values.get(call.args().get(index - first).id())
                : null;
    }

    private static long traversed(long size) {
        return (long) Math.ceil(size * CallCosts.TEXT);
    }

    private static long expressions(long size) {
        return (long) Math.ceil(size * CallCosts.REGEX);
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case CelByteString bytes -> bytes.size();
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case JsonValues.Struct struct -> struct.size();
            case Optional<?> optional -> size(optional.orElse(null));
            case null, default -> 1;
        };
    }

    private static long traversal(@Nullable Object value) {
        return switch (value) {
            case String text -> (long) (text.length() * CallCosts.TEXT);
            case CelByteString bytes -> (long) (bytes.size() * CallCosts.TEXT);
            case List<?> list -> list.stream().mapToLong(Meter::traversal).sum();
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue()))
                        .sum();
            case null, default -> 1;
        };
    }
}
