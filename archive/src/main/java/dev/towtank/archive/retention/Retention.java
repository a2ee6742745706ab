package dev.towtank.archive.retention;

import dev.towtank.archive.sql.Dialect;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/// Deletes what is kept no longer: whole Results, by the run that is the reason for them.
public final class Retention {

    private final Archive archive;

    public Retention(Archive archive) {
        this.archive = archive;
    }

    /// How many Results went.
    public int apply(RetentionPolicy policy, Instant now) {
        var dialect = archive.database().dialect();
        int deleted = 0;
        var earlier = new ArrayList<Sql>();
        for (var rule : policy.rules()) {
            var matches = matches(rule, dialect);
            deleted += delete(earlier, List.of(matches), rule.kept(), now);
            earlier.add(matches);
        }
        deleted += delete(earlier, List.of(), policy.otherwise(), now);
        archive.sweepLogs();
        return deleted;
    }

    private int delete(List<Sql> earlier, List<Sql> matches, Duration kept, Instant now) {
        var sql = Sql.builder()
                .add("DELETE FROM results WHERE EXISTS (SELECT 1 FROM records WHERE records.parent = results.parent"
                        + " AND records.result_id = results.id AND (records.type = 'tekton.dev/v1.PipelineRun' OR"
                        + " (records.type IN ('tekton.dev/v1.TaskRun', 'tekton.dev/v1beta1.CustomRun') AND NOT EXISTS"
                        + " (SELECT 1 FROM records owner WHERE owner.parent = results.parent"
                        + " AND owner.result_id = results.id AND owner.type = 'tekton.dev/v1.PipelineRun')))")
                .add(" AND records.updated_time < ?", Archive.micros(now.minus(kept)));
        // A condition on what is missing is unknown, and so no match.
        earlier.forEach(rule -> sql.add(" AND NOT COALESCE(").add(rule).add(", FALSE)"));
        matches.forEach(rule -> sql.add(" AND COALESCE(").add(rule).add(", FALSE)"));
        return archive.database().write(session -> session.update(sql.add(")").build()));
    }

    private static Sql matches(RetentionPolicy.Rule rule, Dialect dialect) {
        var sql = Sql.builder().add("(TRUE");
        if (!rule.namespaces().isEmpty()) {
            sql.add(" AND records.parent IN ").add(list(rule.namespaces()));
        }
        rule.labels()
                .forEach((name, values) -> sql.add(" AND ")
                        .add(dialect.text("records.data", List.of("metadata", "labels", name)))
                        .add(" IN ")
                        .add(list(values)));
        rule.annotations()
                .forEach((name, values) -> sql.add(" AND ")
                        .add(dialect.text("records.data", List.of("metadata", "annotations", name)))
                        .add(" IN ")
                        .add(list(values)));
        if (!rule.reasons().isEmpty()) {
            sql.add(" AND ")
                    .add(dialect.text("records.data", List.of("status", "conditions", 0L, "reason")))
                    .add(" IN ")
                    .add(list(rule.reasons()));
        }
        return sql.add(")").build();
    }

    private static Sql list(Collection<String> values) {
        if (values.isEmpty()) {
            return Sql.of("(NULL)");
        }
        return new Sql("(" + String.join(", ", Collections.nCopies(values.size(), "?")) + ")", List.copyOf(values));
    }
}
