package dev.towtank.model.lua;

/// How a statement ended.
sealed interface StatementEnd {

    Simple NEXT = Simple.NEXT;
    Simple BREAK = Simple.BREAK;

    enum Simple implements StatementEnd {
        NEXT,
        BREAK
    }

    record Jump(Label label) implements StatementEnd {}

    final class Return implements StatementEnd {
        final Object[] values;

        Return(Object[] values) {
            this.values = values;
        }
    }

    /// `return f(x)`: the caller goes on with `f`, so that such calls need no depth.
    final class Tail implements StatementEnd {
        final Object function;
        final Object[] arguments;
        final int line;

        Tail(Object function, Object[] arguments, int line) {
            this.function = function;
            this.arguments = arguments;
            this.line = line;
        }
    }

    /// The target of a `goto`. Compared by identity: two blocks may use the same name.
    final class Label {
        final String name;
        final int line;

        Label(String name, int line) {
            this.name = name;
            this.line = line;
        }
    }
}
