package dev.towtank.app.lint.report;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import java.util.List;

/// What whoever reads a report, in any form, wants to see of it.
final class Shown {

    private Shown() {}

    /// @param infos whether that is also what is only good to know
    static List<Finding> of(Report report, boolean infos) {
        return report.findings().stream()
                .filter(finding -> infos || finding.level() != Level.INFO)
                .toList();
    }
}
