package dev.towtank.archive.filter;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Dialect;
import dev.towtank.archive.sql.Sql;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Grammar;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.cel.Syntax;
import java.util.LinkedHashMap;
import java.util.Map;

/// What may be named in filters of one table, and what it is there.
public enum Filter {
    RESULTS {
        @Override
        Map<String, Shape> variables() {
            var summary = new LinkedHashMap<String, Shape.Field>();
            summary.put("record", new Shape.Field("record", Shape.Scalar.STRING));
            summary.put("type", new Shape.Field("type", Shape.Scalar.STRING));
            summary.put("start_time", new Shape.Field("start_time", Shape.Scalar.TIMESTAMP));
            summary.put("end_time", new Shape.Field("end_time", Shape.Scalar.TIMESTAMP));
            summary.put("status", new Shape.Field("status", Shape.Scalar.INT));
            summary.put("annotations", new Shape.Field("annotations", new Shape.MapOf(Shape.Scalar.STRING)));
            return Map.of(
                    "parent",
                    Shape.Scalar.STRING,
                    "uid",
                    Shape.Scalar.STRING,
                    "annotations",
                    new Shape.MapOf(Shape.Scalar.STRING),
                    "summary",
                    new Shape.ObjectOf("tekton.results.v1alpha2.RecordSummary", summary),
                    "create_time",
                    Shape.Scalar.TIMESTAMP,
                    "update_time",
                    Shape.Scalar.TIMESTAMP);
        }

        @Override
        Map<String, Syntax> constants() {
            var constants = new LinkedHashMap<>(KINDS);
            var statuses = new String[] {"UNKNOWN", "SUCCESS", "FAILURE", "TIMEOUT", "CANCELLED"};
            for (int i = 0; i < statuses.length; i++) {
                constants.put(statuses[i], new Syntax.Int(0, i));
            }
            return constants;
        }
    },
    RECORDS {
        @Override
        Map<String, Shape> variables() {
            return Map.of(
                    "parent", Shape.Scalar.STRING,
                    "result_name", Shape.Scalar.STRING,
                    "name", Shape.Scalar.STRING,
                    "data_type", Shape.Scalar.STRING,
                    "data", Shape.Scalar.ANY);
        }

        @Override
        Map<String, Syntax> constants() {
            return KINDS;
        }
    };

    /// Longer than anything that a person writes or a program has a reason to send.
    static final int MAX_LENGTH = 10_000;

    private static final Map<String, Syntax> KINDS = Map.of(
            "PIPELINE_RUN", new Syntax.Text(0, "tekton.dev/v1.PipelineRun"),
            "TASK_RUN", new Syntax.Text(0, "tekton.dev/v1.TaskRun"));

    abstract Map<String, Shape> variables();

    abstract Map<String, Syntax> constants();

    // A grammar takes a while to make; who never filters does not pay for it.
    private static final class Grammars {
        static final Grammar RESULTS_GRAMMAR = make(RESULTS);
        static final Grammar RECORDS_GRAMMAR = make(RECORDS);

        private static Grammar make(Filter filter) {
            return new Grammar(filter.variables(), filter.constants(), MAX_LENGTH);
        }
    }

    private Grammar grammar() {
        return switch (this) {
            case RESULTS -> Grammars.RESULTS_GRAMMAR;
            case RECORDS -> Grammars.RECORDS_GRAMMAR;
        };
    }

    /// The condition that a filter means.
    ///
    /// @throws Refusal where it does not compile, is no condition, or says what cannot be asked of a database
    public Sql where(String text, Dialect dialect) {
        if (text.length() > MAX_LENGTH) {
            throw ArchiveRefusal.invalid(
                    "the filter has " + text.length() + " characters, but at most " + MAX_LENGTH + " are allowed");
        }
        try {
            var read = grammar().read(text);
            if (!read.type().equals("bool") && !read.type().equals("dyn")) {
                throw ArchiveRefusal.invalid("expected boolean expression, but got " + read.type());
            }
            return new Translation(dialect, read).condition();
        } catch (Expressions.Malformed e) {
            throw ArchiveRefusal.invalid("error compiling CEL filters: " + e.text());
        }
    }
}
