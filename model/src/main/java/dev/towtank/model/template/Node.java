package dev.towtank.model.template;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A part of a parsed template. What it is written as is what errors show of it.
///
/// Each knows where it begins in the text, in characters.
public sealed interface Node {

    int at();

    /// As errors show it: the same thing in Go's own spacing.
    String shown();

    /// What stands between delimiters, or outside of them.
    sealed interface Statement extends Node {}

    /// What has a value.
    sealed interface Operand extends Node {}

    record Sequence(int at, List<Statement> statements) implements Node {
        @Override
        public String shown() {
            return statements.stream().map(Node::shown).collect(Collectors.joining());
        }
    }

    record Text(int at, String text) implements Statement {
        @Override
        public String shown() {
            return text;
        }
    }

    record Action(int at, Pipeline pipeline) implements Statement {
        @Override
        public String shown() {
            return "{{" + pipeline.shown() + "}}";
        }
    }

    record Break(int at) implements Statement {
        @Override
        public String shown() {
            return "{{break}}";
        }
    }

    record Continue(int at) implements Statement {
        @Override
        public String shown() {
            return "{{continue}}";
        }
    }

    record If(Pipeline pipeline, Sequence body, @Nullable Sequence otherwise) implements Statement {
        @Override
        public int at() {
            return pipeline.at();
        }

        @Override
        public String shown() {
            return branch("if", pipeline, body, otherwise);
        }
    }

    record With(Pipeline pipeline, Sequence body, @Nullable Sequence otherwise) implements Statement {
        @Override
        public int at() {
            return pipeline.at();
        }

        @Override
        public String shown() {
            return branch("with", pipeline, body, otherwise);
        }
    }

    record Range(Pipeline pipeline, Sequence body, @Nullable Sequence otherwise) implements Statement {
        @Override
        public int at() {
            return pipeline.at();
        }

        @Override
        public String shown() {
            return branch("range", pipeline, body, otherwise);
        }
    }

    record Template(int at, String name, @Nullable Pipeline pipeline) implements Statement {
        @Override
        public String shown() {
            return "{{template " + GoText.quote(name) + (pipeline == null ? "" : " " + pipeline.shown()) + "}}";
        }
    }

    record Pipeline(int at, boolean assigns, List<String> variables, List<Command> commands) implements Operand {
        @Override
        public String shown() {
            var whole = commands.stream().map(Node::shown).collect(Collectors.joining(" | "));
            return variables.isEmpty() ? whole : String.join(", ", variables) + (assigns ? " = " : " := ") + whole;
        }
    }

    record Command(int at, List<Operand> operands) implements Node {
        @Override
        public String shown() {
            return operands.stream()
                    .map(each -> each instanceof Pipeline inner ? "(" + inner.shown() + ")" : each.shown())
                    .collect(Collectors.joining(" "));
        }
    }

    record Identifier(int at, String name) implements Operand {
        @Override
        public String shown() {
            return name;
        }
    }

    /// A variable, with the fields that follow it.
    record Variable(int at, String name, List<String> fields) implements Operand {
        @Override
        public String shown() {
            return fields.isEmpty() ? name : name + "." + String.join(".", fields);
        }
    }

    record Field(int at, List<String> names) implements Operand {
        @Override
        public String shown() {
            return "." + String.join(".", names);
        }
    }

    /// Fields of something in parentheses, or of what a function gives.
    record Chain(int at, Operand of, List<String> fields) implements Operand {
        @Override
        public String shown() {
            var start = of instanceof Pipeline ? "(" + of.shown() + ")" : of.shown();
            return start + "." + String.join(".", fields);
        }
    }

    record Dot(int at) implements Operand {
        @Override
        public String shown() {
            return ".";
        }
    }

    record Nil(int at) implements Operand {
        @Override
        public String shown() {
            return "nil";
        }
    }

    record Bool(int at, boolean value) implements Operand {
        @Override
        public String shown() {
            return Boolean.toString(value);
        }
    }

    record Str(int at, String literal, String value) implements Operand {
        @Override
        public String shown() {
            return literal;
        }
    }

    /// @param whole the value as an integer, or null where it is none, or too large for one
    record Numeral(int at, String text, @Nullable Long whole, double real, boolean isInteger) implements Operand {
        @Override
        public String shown() {
            return text;
        }

        /// True when a place that takes anything gets a float64 of it.
        boolean looksReal() {
            return !isInteger;
        }
    }

    private static String branch(String word, Pipeline pipeline, Sequence body, @Nullable Sequence otherwise) {
        return "{{" + word + " " + pipeline.shown() + "}}" + body.shown()
                + (otherwise == null ? "" : "{{else}}" + otherwise.shown()) + "{{end}}";
    }
}
