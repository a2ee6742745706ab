package dev.towtank.model.lua;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names that a function knows while it is parsed.
final class Scope {

    /// A label, and how many variables existed there.
    private record Place(StatementEnd.Label label, int variables, boolean isLast) {}

    private record Jump(Statement.Goto statement, int variables) {}

    private static final class Block {
        final int firstVariable;
        final boolean isLoop;
        final Map<String, Place> labels = new HashMap<>();
        final List<Jump> jumps = new ArrayList<>();

        Block(int firstVariable, boolean isLoop) {
            this.firstVariable = firstVariable;
            this.isLoop = isLoop;
        }
    }

    private final String chunk;
    private final @Nullable Scope outer;
    final boolean isOpen;
    private final List<Variable> variables = new ArrayList<>();
    private final Deque<Block> blocks = new ArrayDeque<>();
    private final List<FunctionBody.Capture> captures = new ArrayList<>();
    private final Map<Variable, Integer> captured = new HashMap<>();
    private int slots;

    Scope(String chunk, @Nullable Scope outer, boolean isOpen) {
        this.chunk = chunk;
        this.outer = outer;
        this.isOpen = isOpen;
    }

    void open(boolean isLoop) {
        blocks.push(new Block(variables.size(), isLoop));
    }

    /// Forgets what the block declared, and finds the targets of its jumps here or leaves them to the block around it.
    void close() {
        var block = blocks.pop();
        var around = blocks.peek();
        for (var jump : block.jumps) {
            var place = block.labels.get(jump.statement.name);
            if (place != null) {
                check(jump, place);
                jump.statement.target(place.label);
            } else if (around == null) {
                throw error(
                        jump.statement.line,
                        "no visible label '" + jump.statement.name + "' for <goto> at line " + jump.statement.line);
            } else {
                around.jumps.add(new Jump(jump.statement, Math.min(jump.variables, block.firstVariable)));
            }
        }
        variables.subList(block.firstVariable, variables.size()).clear();
    }

    private void check(Jump jump, Place place) {
        if (place.variables > jump.variables && !place.isLast) {
            throw error(
                    place.label.line,
                    "<goto " + place.label.name + "> at line " + jump.statement.line
                            + " jumps into the scope of local '" + variables.get(jump.variables).name + "'");
        }
    }

    LuaError error(int line, String message) {
        return LuaError.of("compile error near line(" + line + ") " + chunk + ": " + message);
    }

    Variable declare(String name) {
        var variable = new Variable(name, variables.size());
        variables.add(variable);
        slots = Math.max(slots, variables.size());
        return variable;
    }

    Expression name(String name, int line) {
        var local = find(name);
        if (local != null) {
            return new Expression.Local(local);
        }
        var index = capture(name);
        return index == null ? new Expression.Global(name, line) : new Expression.Captured(index);
    }

    private @Nullable Variable find(String name) {
        for (int i = variables.size() - 1; i >= 0; i--) {
            if (variables.get(i).name.equals(name)) {
                return variables.get(i);
            }
        }
        return null;
    }

    /// The place among the captured variables, null for a global.
    private @Nullable Integer capture(String name) {
        if (outer == null) {
            return null;
        }
        var local = outer.find(name);
        if (local != null) {
            local.isCaptured = true;
            return captured.computeIfAbsent(local, variable -> add(new FunctionBody.Capture.Local(variable)));
        }
        var further = outer.capture(name);
        return further == null ? null : add(new FunctionBody.Capture.Outer(further));
    }

    private int add(FunctionBody.Capture capture) {
        int known = captures.indexOf(capture);
        if (known >= 0) {
            return known;
        }
        captures.add(capture);
        return captures.size() - 1;
    }

    void label(StatementEnd.Label label, boolean isLast) {
        var block = block();
        var before = block.labels.put(label.name, new Place(label, variables.size(), isLast));
        if (before != null) {
            throw error(label.line, "label '" + label.name + "' already defined on line " + before.label.line);
        }
    }

    void jump(Statement.Goto statement) {
        block().jumps.add(new Jump(statement, variables.size()));
    }

    boolean isInLoop() {
        return blocks.stream().anyMatch(block -> block.isLoop);
    }

    FunctionBody body(List<Variable> parameters, Statement.Block block) {
        return new FunctionBody(chunk, parameters, isOpen, slots, List.copyOf(captures), block);
    }

    private Block block() {
        var block = blocks.peek();
        if (block == null) {
            throw new IllegalStateException("no block is open");
        }
        return block;
    }
}
