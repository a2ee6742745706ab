package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A set of paths into an object. Immutable.
///
/// Kept as a tree: each step may itself be a member, and may lead to further ones.
public final class FieldSet {

    public static final FieldSet EMPTY = new FieldSet(Map.of());

    private static final String SELF = ".";

    /// @param member whether the path up to here is in the set
    /// @param below the paths that go on from here
    private record Node(boolean member, FieldSet below) {
        static final Node LEAF = new Node(true, EMPTY);

        boolean isEmpty() {
            return !member && below.isEmpty();
        }
    }

    private final Map<PathStep, Node> nodes;

    private FieldSet(Map<PathStep, Node> nodes) {
        this.nodes = nodes;
    }

    /// The set of one path of field names.
    public static FieldSet ofFields(String... names) {
        return of(Stream.of(names).map(PathStep.Field::new).toArray(PathStep[]::new));
    }

    public static FieldSet of(PathStep... path) {
        var set = EMPTY;
        for (int i = path.length - 1; i >= 0; i--) {
            set = new FieldSet(Map.of(path[i], new Node(i == path.length - 1, set)));
        }
        return set;
    }

    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    public boolean has(PathStep step) {
        var node = nodes.get(step);
        return node != null && node.member;
    }

    /// The paths that go on from a step.
    public FieldSet below(PathStep step) {
        var node = nodes.get(step);
        return node == null ? EMPTY : node.below;
    }

    public FieldSet union(FieldSet other) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        var all = new TreeMap<>(nodes);
        other.nodes.forEach((step, theirs) ->
                all.merge(step, theirs, (a, b) -> new Node(a.member || b.member, a.below.union(b.below))));
        return new FieldSet(all);
    }

    public FieldSet intersection(FieldSet other) {
        var common = new TreeMap<PathStep, Node>();
        nodes.forEach((step, mine) -> {
            var theirs = other.nodes.get(step);
            if (theirs != null) {
                put(common, step, new Node(mine.member && theirs.member, mine.below.intersection(theirs.below)));
            }
        });
        return new FieldSet(common);
    }

    /// What is in this set and not in the other.
    public FieldSet difference(FieldSet other) {
        if (other.isEmpty()) {
            return this;
        }
        var rest = new TreeMap<PathStep, Node>();
        nodes.forEach((step, mine) -> {
            var theirs = other.nodes.get(step);
            put(
                    rest,
                    step,
                    theirs == null
                            ? mine
                            : new Node(mine.member && !theirs.member, mine.below.difference(theirs.below)));
        });
        return new FieldSet(rest);
    }

    /// What is in this set and neither in the other nor below a member of it.
    public FieldSet recursiveDifference(FieldSet other) {
        var rest = new TreeMap<PathStep, Node>();
        nodes.forEach((step, mine) -> {
            var theirs = other.nodes.get(step);
            if (theirs == null) {
                rest.put(step, mine);
            } else if (!theirs.member) {
                put(rest, step, new Node(mine.member, mine.below.recursiveDifference(theirs.below)));
            }
        });
        return new FieldSet(rest);
    }

    private static void put(Map<PathStep, Node> nodes, PathStep step, Node node) {
        if (!node.isEmpty()) {
            nodes.put(step, node);
        }
    }

    /// With every field of a struct that leads to a member as a member itself, so that emptied structs go
    /// as well.
    FieldSet withNamedFields(Shape shape) {
        var all = new TreeMap<PathStep, Node>();
        nodes.forEach((step, node) -> {
            boolean named = step instanceof PathStep.Field(var name)
                    && shape instanceof Shape.Granular granular
                    && granular.isField(name);
            all.put(step, new Node(node.member || named, node.below.withNamedFields(shape.at(step))));
        });
        return new FieldSet(all);
    }

    /// As the shape has it now: who owned parts of what has become a whole owns the whole.
    FieldSet settled(Shape shape) {
        var all = new TreeMap<PathStep, Node>();
        nodes.forEach((step, node) -> {
            var inner = shape.at(step);
            boolean whole = inner instanceof Shape.Leaf || inner instanceof Shape.Atomic || node.below.isEmpty();
            all.put(step, whole ? Node.LEAF : new Node(node.member, node.below.settled(inner)));
        });
        return new FieldSet(all);
    }

    /// Every member, as the text of its path: `.spec.replicas`. Those nearer to the top stand first, as
    /// upstream.
    public List<String> paths() {
        var found = new ArrayList<String>();
        walk("", found);
        return found;
    }

    private void walk(String prefix, List<String> found) {
        nodes.forEach((step, node) -> {
            if (node.member) {
                found.add(prefix + step);
            }
        });
        nodes.forEach((step, node) -> node.below.walk(prefix + step, found));
    }

    /// As it stands in `managedFields`.
    public Json.Obj json() {
        var builder = Json.Obj.builder();
        nodes.forEach((step, node) -> builder.put(step.wire(), json(node)));
        return builder.build();
    }

    private static Json.Obj json(Node node) {
        if (node.below.isEmpty()) {
            return Json.Obj.EMPTY;
        }
        return node.member
                ? Json.Obj.of(SELF, Json.Obj.EMPTY).toBuilder()
                        .putAll(node.below.json())
                        .build()
                : node.below.json();
    }

    /// @throws IllegalArgumentException when it is no such set
    public static FieldSet read(Json.Obj json) {
        var nodes = new TreeMap<PathStep, Node>();
        json.forEach((wire, value) -> {
            if (wire.equals(SELF)) {
                return;
            }
            if (!(value instanceof Json.Obj below)) {
                throw new IllegalArgumentException("expected an object at \"" + wire + "\"");
            }
            var inner = read(below);
            PathStep.parse(wire)
                    .ifPresent(step -> put(nodes, step, new Node(inner.isEmpty() || below.has(SELF), inner)));
        });
        return nodes.isEmpty() ? EMPTY : new FieldSet(nodes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldSet that && nodes.equals(that.nodes);
    }

    @Override
    public int hashCode() {
        return nodes.hashCode();
    }

    @Override
    public String toString() {
        return String.join(" ", paths());
    }

    /// Where a walk through an object has come to; the top is null.
    record Place(@Nullable Place parent, PathStep step) {}

    /// Collects paths while an object is walked.
    static final class Builder {
        private final Map<PathStep, Builder> below = new TreeMap<>();
        private boolean member;

        Builder at(PathStep step) {
            return below.computeIfAbsent(step, _ -> new Builder());
        }

        void add(Place place) {
            find(place).add();
        }

        private Builder find(@Nullable Place place) {
            return place == null ? this : find(place.parent()).at(place.step());
        }

        void add() {
            member = true;
        }

        FieldSet build() {
            if (below.isEmpty()) {
                return EMPTY;
            }
            var nodes = new TreeMap<PathStep, Node>();
            below.forEach((step, builder) -> put(nodes, step, builder.node()));
            return nodes.isEmpty() ? EMPTY : new FieldSet(nodes);
        }

        private Node node() {
            return below.isEmpty() && member ? Node.LEAF : new Node(member, build());
        }
    }
}
