package dev.towtank.model.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Executes one tree on its data, statement by statement. What has a value is worked out by an [Evaluator].
final class Executor {

    /// What a statement says about those that follow it.
    private enum Flow {
        GO_ON,
        BREAK,
        CONTINUE
    }

    private final GoTemplate templates;
    private final TemplateSettings settings;
    private final Tree tree;
    private final StringBuilder out;
    private final Evaluator evaluator;
    private final @Nullable WrittenLines lines;

    /// @param lines where to note which line wrote what; null where nobody asks
    Executor(
            GoTemplate templates,
            TemplateSettings settings,
            Tree tree,
            @Nullable Object data,
            StringBuilder out,
            @Nullable WrittenLines lines) {
        this.lines = lines;
        this.templates = templates;
        this.settings = settings;
        this.tree = tree;
        this.out = out;
        this.evaluator = new Evaluator(templates, settings, tree, data);
    }

    void run(@Nullable Object data) {
        try {
            settings.meter().enter();
            sequence(tree.root(), data);
            settings.meter().leave();
        } catch (TemplateError e) {
            // A bound does not know where it was reached.
            throw e.isExhausted() && !e.text().startsWith("template: ") ? e.inside(evaluator.here()) : e;
        }
    }

    private Flow sequence(Node.Sequence sequence, @Nullable Object dot) {
        for (var statement : sequence.statements()) {
            var flow = statement(statement, dot);
            if (flow != Flow.GO_ON) {
                return flow;
            }
        }
        return Flow.GO_ON;
    }

    private Flow statement(Node.Statement statement, @Nullable Object dot) {
        evaluator.at(statement);
        settings.meter().step();
        if (lines != null) {
            lines.note(out.length(), tree.source().line(statement.at()), statement instanceof Node.Text);
        }
        return switch (statement) {
            case Node.Text(var _, var text) -> {
                write(text);
                yield Flow.GO_ON;
            }
            case Node.Action(var _, var pipeline) -> {
                var value = evaluator.pipeline(pipeline, dot);
                if (pipeline.variables().isEmpty()) {
                    evaluator.at(statement);
                    write(value == null ? "<no value>" : Print.value(value, settings.meter()));
                }
                yield Flow.GO_ON;
            }
            case Node.Break _ -> Flow.BREAK;
            case Node.Continue _ -> Flow.CONTINUE;
            case Node.If(var pipeline, var body, var otherwise) -> branch(pipeline, body, otherwise, dot, false);
            case Node.With(var pipeline, var body, var otherwise) -> branch(pipeline, body, otherwise, dot, true);
            case Node.Range range -> range(range, dot);
            case Node.Template template -> template(template, dot);
        };
    }

    private void write(String text) {
        settings.meter().write(text.length());
        out.append(text);
    }

    private Flow branch(
            Node.Pipeline pipeline,
            Node.Sequence body,
            Node.@Nullable Sequence otherwise,
            @Nullable Object dot,
            boolean changesDot) {
        int mark = evaluator.mark();
        var value = evaluator.pipeline(pipeline, dot);
        var flow = Flow.GO_ON;
        if (Values.isTrue(value)) {
            flow = sequence(body, changesDot ? value : dot);
        } else if (otherwise != null) {
            flow = sequence(otherwise, dot);
        }
        evaluator.forget(mark);
        return flow;
    }

    private Flow range(Node.Range range, @Nullable Object dot) {
        int mark = evaluator.mark();
        var value = evaluator.pipeline(range.pipeline(), dot);
        var elements = value instanceof GoObject object ? object.elements().orElse(object) : value;
        var turns = new Turns(range, evaluator.mark());
        switch (elements) {
            case null -> {}
            case Map<?, ?> map -> turns.over(map);
            case List<?> list -> turns.over(list);
            case byte[] bytes -> turns.over(bytes);
            case Long number -> turns.upTo(number, null);
            case SizedInteger number -> turns.upTo(number.value(), number.size());
            case Object other ->
                throw evaluator.failure("range can't iterate over " + Print.value(other, settings.meter()));
        }
        var flow = turns.none && range.otherwise() != null ? sequence(range.otherwise(), dot) : Flow.GO_ON;
        evaluator.forget(mark);
        return flow;
    }

    private Flow template(Node.Template call, @Nullable Object dot) {
        var called = templates.tree(call.name());
        if (called == null) {
            throw evaluator.failure("template " + GoText.quote(call.name()) + " not defined");
        }
        var data = call.pipeline() == null ? null : evaluator.pipeline(call.pipeline(), dot);
        new Executor(templates, settings, called, data, out, null).run(data);
        return Flow.GO_ON;
    }

    /// The turns of one loop.
    private final class Turns {
        private final Node.Range range;
        private final int mark;
        private boolean none = true;

        Turns(Node.Range range, int mark) {
            this.range = range;
            this.mark = mark;
        }

        void over(Map<?, ?> map) {
            boolean bare = map instanceof TypedMap typed && !typed.isOfAnything();
            for (var entry : List.copyOf(entries(map))) {
                if (turn(entry.getKey(), bare ? entry.getValue() : Boxed.of(entry.getValue())) == Flow.BREAK) {
                    return;
                }
            }
        }

        // A loop may change the map it goes over; it goes on with what was there.
        private static List<Map.Entry<?, @Nullable Object>> entries(Map<?, ?> map) {
            var entries = new java.util.ArrayList<Map.Entry<?, @Nullable Object>>(map.size());
            map.forEach((key, value) -> entries.add(new java.util.AbstractMap.SimpleImmutableEntry<>(key, value)));
            return entries;
        }

        void over(List<?> list) {
            boolean bare = list instanceof TypedList;
            for (int i = 0; i < list.size(); i++) {
                if (turn((long) i, bare ? list.get(i) : Boxed.of(list.get(i))) == Flow.BREAK) {
                    return;
                }
            }
        }

        void over(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                if (turn((long) i, SizedInteger.uint8(bytes[i] & 0xFF)) == Flow.BREAK) {
                    return;
                }
            }
        }

        void upTo(long end, SizedInteger.@Nullable Size size) {
            if (range.pipeline().variables().size() > 1) {
                throw evaluator.failure("can't use " + end + " to iterate over more than one variable");
            }
            for (long i = 0; i < end; i++) {
                if (turn(null, size == null ? (Object) i : new SizedInteger(size, i)) == Flow.BREAK) {
                    return;
                }
            }
        }

        private Flow turn(@Nullable Object key, @Nullable Object element) {
            none = false;
            settings.meter().step();
            evaluator.nextTurn(range.pipeline(), key, element);
            var flow = sequence(range.body(), element);
            evaluator.forget(mark);
            return flow;
        }
    }
}
