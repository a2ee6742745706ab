package dev.towtank.app.engine;

import dev.towtank.apiserver.audit.AuditLog;
import dev.towtank.apiserver.audit.AuditSink;
import java.io.IOException;
import java.util.Optional;

/// The audit log of a server, or none.
record Audit(AuditSink sink, Optional<AuditLog> log) implements AutoCloseable {

    static Audit of(Engine.Site site) throws IOException {
        if (site.audited() == AuditSink.Level.OFF) {
            return new Audit(AuditSink.OFF, Optional.empty());
        }
        var log = AuditLog.open(site.audit(), site.audited(), AuditLog.Limits.DEFAULT, site.clock());
        return new Audit(log, Optional.of(log));
    }

    @Override
    public void close() {
        log.ifPresent(AuditLog::close);
    }
}
