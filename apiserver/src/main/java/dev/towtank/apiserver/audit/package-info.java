/// Who did what, whether they were allowed to, and how long it took: one line of JSON for every request.
///
/// A request is noted down as an [AuditEvent] by whoever serves it, HTTP or [AuditedApi]. The [AuditLog] takes it over
/// without waiting; its own thread makes the line ([AuditLine]) and writes it ([AuditFiles]). The shape is that of
/// `audit.k8s.io/v1`, so that existing tools read it.
@NullMarked
package dev.towtank.apiserver.audit;

import org.jspecify.annotations.NullMarked;
