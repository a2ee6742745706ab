/// Shows a lint's findings: to people, and to machines in the forms that they know. Each form is a function
/// from a [Report][dev.towtank.app.lint.finding.Report] to text.
@NullMarked
package dev.towtank.app.lint.report;

import org.jspecify.annotations.NullMarked;
