package dev.towtank.model.lua;

import java.util.Arrays;
import java.util.List;

/// A function as it was written; a closure is made of it each time it is reached.
final class FunctionBody {

    /// Where a closure finds a captured variable when it is made: in the frame around it, or among what that has
    /// captured.
    sealed interface Capture {
        record Local(Variable variable) implements Capture {}

        record Outer(int index) implements Capture {}
    }

    final String chunk;
    private final List<Variable> parameters;
    private final boolean isOpen;
    private final int slots;
    private final List<Capture> captures;
    private final Statement.Block block;

    FunctionBody(
            String chunk,
            List<Variable> parameters,
            boolean isOpen,
            int slots,
            List<Capture> captures,
            Statement.Block block) {
        this.chunk = chunk;
        this.parameters = parameters;
        this.isOpen = isOpen;
        this.slots = slots;
        this.captures = captures;
        this.block = block;
    }

    StatementEnd run(Run run, LuaFunction.Cell[] captured, Object[] arguments) {
        run.step();
        int named = parameters.size();
        var rest = LuaFunction.NONE;
        if (isOpen && arguments.length > named) {
            run.steps(arguments.length / 8);
            rest = Arrays.copyOfRange(arguments, named, arguments.length);
        }
        var frame = new Frame(run, chunk, new Object[slots], captured, rest);
        for (int i = 0; i < named; i++) {
            parameters.get(i).declare(frame, i < arguments.length ? arguments[i] : Nil.NIL);
        }
        return block.execute(frame);
    }

    LuaFunction.Closure close(Frame frame) {
        frame.run().allocate(48);
        var cells = new LuaFunction.Cell[captures.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = switch (captures.get(i)) {
                case Capture.Local(var variable) -> (LuaFunction.Cell) frame.slots()[variable.slot];
                case Capture.Outer(var index) -> frame.captured()[index];
            };
        }
        return new LuaFunction.Closure(this, cells);
    }

    LuaFunction.Closure main() {
        return new LuaFunction.Closure(this, new LuaFunction.Cell[0]);
    }
}
