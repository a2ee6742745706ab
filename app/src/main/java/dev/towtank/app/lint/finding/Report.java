package dev.towtank.app.lint.finding;

import java.util.List;
import java.util.stream.Stream;

/// All that was found, sorted by file and line.
///
/// @param files how many were looked at
/// @param objects how many were in them
/// @param notes what could not be checked
public record Report(List<Finding> findings, int files, int objects, List<String> notes) {
    public Report {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    public Report with(List<Finding> others) {
        return new Report(others, files, objects, notes);
    }

    public Report withNotes(List<String> more) {
        return new Report(
                findings,
                files,
                objects,
                Stream.concat(notes.stream(), more.stream()).toList());
    }

    public long count(Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    public boolean fails(boolean strict) {
        return count(Level.ERROR) > 0 || (strict && count(Level.WARNING) > 0);
    }
}
