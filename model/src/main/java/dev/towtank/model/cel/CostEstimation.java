package dev.towtank.model.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an expression may cost on data of the sizes that its schema allows, before there is any data.
///
/// The numbers must be those of Kubernetes: they decide which definitions a server takes.
final class CostEstimation {

    private static final Cost LIST = Cost.of(10);
    private static final Cost MAP = Cost.of(30);
    private static final Cost STRUCT = Cost.of(40);

    /// A node with what is known about it.
    ///
    /// @param path through the data, empty where the node is no part of it
    /// @param size null where nothing is known
    record Node(
            CelExpr expression,
            CelType type,
            List<String> path,
            @Nullable Cost size) {}

    /// How large the parts of a list or map are.
    record Entries(boolean isList, Cost key, Cost value) {
        static @Nullable Entries union(@Nullable Entries one, @Nullable Entries other) {
            return one == null || other == null
                    ? null
                    : new Entries(one.isList, one.key.union(other.key), one.value.union(other.value));
        }
    }

    /// A variable of a comprehension.
    private record Local(
            List<String> path,
            @Nullable Cost size,
            @Nullable Entries entries) {}

    private final CelAbstractSyntaxTree tree;
    private final Sizes root;
    private final CallCosts calls;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, Cost> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    private CostEstimation(CelAbstractSyntaxTree tree, Sizes root) {
        this.tree = tree;
        this.root = root;
        this.calls = new CallCosts(this);
    }

    /// The most that it may cost.
    static long most(CelAbstractSyntaxTree tree, Sizes root) {
        return new CostEstimation(tree, root).cost(tree.getExpr()).max();
    }

    private Cost cost(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT, NOT_SET -> Cost.ZERO;
            case IDENT -> identifier(expression);
            case SELECT -> select(expression);
            case CALL -> call(expression);
            case LIST -> list(expression);
            case MAP -> map(expression);
            case STRUCT -> {
                var sum = STRUCT;
                for (var entry : expression.struct().entries()) {
                    sum = sum.plus(cost(entry.value()));
                }
                yield sum;
            }
            case COMPREHENSION -> isBinding(expression.comprehension()) ? binding(expression) : loop(expression);
        };
    }

    private Cost identifier(CelExpr expression) {
        var name = expression.ident().name();
        var local = local(name);
        paths.put(expression.id(), local == null ? List.of(name) : local.path);
        return Cost.ONE;
    }

    private Cost select(CelExpr expression) {
        var select = expression.select();
        var operand = cost(select.operand());
        if (select.testOnly()) {
            return operand;
        }
        paths.put(expression.id(), step(path(select.operand()), select.field()));
        return switch (type(select.operand()).kind()) {
            case MAP, STRUCT, TYPE_PARAM -> operand.plus(Cost.ONE);
            default -> operand;
        };
    }

    private Cost call(CelExpr expression) {
        var call = expression.call();
        if (call.function().equals("dyn")) {
            var argument = call.args().getFirst();
            var cost = cost(argument).plus(Cost.ONE);
            copySizes(expression, argument);
            return cost;
        }
        var arguments = new ArrayList<Node>();
        var costs = new ArrayList<Cost>();
        for (var argument : call.args()) {
            costs.add(cost(argument));
            arguments.add(node(argument));
        }
        var overloads = tree.getReference(expression.id())
                .map(reference -> (List<String>) reference.overloadIds())
                .orElse(List.of());
        if (overloads.isEmpty()) {
            return Cost.ZERO;
        }
        var sum = Cost.ZERO;
        Node target = null;
        if (call.target().isPresent()) {
            sum = cost(call.target().get());
            target = node(call.target().get());
        }
        return sum.plus(overloads(expression, overloads, target, arguments, costs));
    }

    /// A range that covers every overload that may be meant.
    private Cost overloads(
            CelExpr expression, List<String> overloads, @Nullable Node target, List<Node> arguments, List<Cost> costs) {
        var cost = Cost.NONE;
        Cost size = null;
        for (var overload : overloads) {
            var estimate = calls.estimate(expression, overload, target, arguments, costs);
            cost = cost.union(estimate.cost());
            var result = estimate.size();
            if (result != null) {
                size = size == null ? result : size.union(result);
            }
            if ((overload.equals("index_list") || overload.equals("index_map")) && !arguments.isEmpty()) {
                var container = arguments.getFirst().expression();
                var parts = entries(container);
                size = parts == null ? null : parts.value;
                paths.put(expression.id(), step(path(container), overload.equals("index_list") ? "@items" : "@values"));
            }
            if (size == null) {
                size = size(expression);
            }
        }
        if (size != null) {
            sizes.put(expression.id(), size);
        }
        return cost;
    }

    private Cost list(CelExpr expression) {
        var sum = LIST;
        var item = expression.list().elements().isEmpty() ? Cost.ZERO : Cost.NONE;
        for (var element : expression.list().elements()) {
            sum = sum.plus(cost(element));
            item = item.union(sizeOrUnknown(element));
        }
        entries.put(expression.id(), new Entries(true, Cost.ONE, item));
        return sum;
    }

    private Cost map(CelExpr expression) {
        var sum = MAP;
        var key = expression.map().entries().isEmpty() ? Cost.ZERO : Cost.NONE;
        var value = key;
        for (var entry : expression.map().entries()) {
            sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
            key = key.union(sizeOrUnknown(entry.key()));
            value = value.union(sizeOrUnknown(entry.value()));
        }
        entries.put(expression.id(), new Entries(false, key, value));
        return sum;
    }

    private Cost loop(CelExpr expression) {
        var loop = expression.comprehension();
        var sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        push(loop.accuVar(), bound(loop.accuInit()));
        if (loop.iterVar2().isEmpty()) {
            push(loop.iterVar(), each(loop.iterRange(), !isList(loop.iterRange())));
        } else {
            push(loop.iterVar(), each(loop.iterRange(), true));
            push(loop.iterVar2(), each(loop.iterRange(), false));
        }
        var round = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
        pop(loop.iterVar());
        if (!loop.iterVar2().isEmpty()) {
            pop(loop.iterVar2());
        }
        sum = sum.plus(cost(loop.result()));
        pop(loop.accuVar());
        var rounds = sizeOrUnknown(loop.iterRange());
        sizesOfLoop(expression, loop, rounds);
        return sum.plus(rounds.times(round));
    }

    private void sizesOfLoop(CelExpr expression, CelExpr.CelComprehension loop, Cost rounds) {
        switch (loop.accuInit().getKind()) {
            case CONSTANT -> remember(expression, size(loop.accuInit()));
            case LIST, MAP -> {
                sizes.put(expression.id(), rounds);
                var step = entries(loop.loopStep());
                if (step != null) {
                    entries.put(expression.id(), step);
                }
            }
            case NOT_SET, IDENT, SELECT, CALL, STRUCT, COMPREHENSION -> {}
        }
    }

    private static boolean isBinding(CelExpr.CelComprehension loop) {
        return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && loop.loopCondition().getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && loop.loopCondition().constant().equals(CelConstant.ofValue(false))
                && !isAccumulator(loop.accuVar());
    }

    private Cost binding(CelExpr expression) {
        var binding = expression.comprehension();
        var sum = cost(binding.iterRange()).plus(cost(binding.accuInit()));
        push(binding.accuVar(), bound(binding.accuInit()));
        sum = sum.plus(cost(binding.result()));
        copySizes(expression, binding.result());
        pop(binding.accuVar());
        return sum;
    }

    private Local bound(CelExpr value) {
        return new Local(path(value), size(value), entries(value));
    }

    private Local each(CelExpr range, boolean key) {
        var parts = entries(range);
        var step = key ? (isList(range) ? "@indices" : "@keys") : isList(range) ? "@items" : "@values";
        return new Local(step(path(range), step), parts == null ? null : key ? parts.key : parts.value, null);
    }

    private boolean isList(CelExpr range) {
        var parts = entries(range);
        return parts == null ? type(range).kind() == CelKind.LIST : parts.isList;
    }

    private void push(String name, Local local) {
        locals.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(local);
    }

    private void pop(String name) {
        locals.getOrDefault(name, new ArrayDeque<>()).poll();
    }

    private @Nullable Local local(String name) {
        var stack = locals.get(name);
        return stack == null ? null : stack.peek();
    }

    private static List<String> step(List<String> path, String step) {
        var longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }

    private List<String> path(CelExpr expression) {
        if (expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            var local = local(expression.ident().name());
            if (local != null) {
                return local.path;
            }
        }
        return paths.getOrDefault(expression.id(), List.of());
    }

    CelType type(CelExpr expression) {
        return tree.getType(expression.id()).orElse(SimpleType.DYN);
    }

    private Node node(CelExpr expression) {
        var path = path(expression);
        boolean internal = !path.isEmpty() && isAccumulator(path.getFirst());
        return new Node(expression, type(expression), internal ? List.of() : path, size(expression));
    }

    private static boolean isAccumulator(String name) {
        return name.equals("__result__") || name.equals("@result");
    }

    private void remember(CelExpr expression, @Nullable Cost size) {
        if (size != null) {
            sizes.put(expression.id(), size);
        }
    }

    private void copySizes(CelExpr to, CelExpr from) {
        remember(to, size(from));
        var parts = entries(from);
        if (parts != null) {
            entries.put(to.id(), parts);
        }
    }

    void setEntries(CelExpr expression, @Nullable Entries parts) {
        if (parts != null) {
            entries.put(expression.id(), parts);
        }
    }

    Cost sizeOrUnknown(CelExpr expression) {
        var size = size(expression);
        return size == null ? Cost.UNKNOWN : size;
    }

    private @Nullable Cost size(CelExpr expression) {
        var known = sizes.get(expression.id());
        if (known == null) {
            known = written(expression);
        }
        if (known != null) {
            return known;
        }
        var data = root.at(path(expression));
        if (data.isPresent()) {
            known = new Cost(0, data.get().most());
            sizes.put(expression.id(), known);
            return known;
        }
        if (isScalar(type(expression))) {
            return Cost.ONE;
        }
        var local = expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? local(expression.ident().name())
                : null;
        return local == null ? null : local.size;
    }

    /// The size of what the expression itself spells out.
    private static @Nullable Cost written(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT ->
                switch (expression.constant().getKind()) {
                    case STRING_VALUE -> {
                        var text = expression.constant().stringValue();
                        yield Cost.of(text.codePointCount(0, text.length()));
                    }
                    case BYTES_VALUE ->
                        Cost.of(expression.constant().bytesValue().size());
                    default -> Cost.ONE;
                };
            case LIST -> Cost.of(expression.list().elements().size());
            case MAP -> Cost.of(expression.map().entries().size());
            case NOT_SET, IDENT, SELECT, CALL, STRUCT, COMPREHENSION -> null;
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                type.name().equals("optional_type")
                        && isScalar(type.parameters().getFirst());
            default -> false;
        };
    }

    @Nullable
    Entries entries(CelExpr expression) {
        var known = entries.get(expression.id());
        if (known != null) {
            return known;
        }
        var local = expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? local(expression.ident().name())
                : null;
        return local == null ? null : local.entries;
    }

    /// The size of a part of the data that no expression names, such as the elements of a list.
    Cost sizeAt(List<String> path) {
        return root.at(path).map(found -> new Cost(0, found.most())).orElse(Cost.UNKNOWN);
    }
}
