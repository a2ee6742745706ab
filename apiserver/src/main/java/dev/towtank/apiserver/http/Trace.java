package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Notes;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.audit.AuditEvent;
import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.audit.AuditedApi;
import dev.towtank.model.LogicalCluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// What becomes known about a request on its way, for the audit log. Written down when the client has its answer.
///
/// The fields are volatile because a timeout writes down what another thread still works on.
final class Trace {

    private final AuditSink audit;
    private final InstantSource clock;
    private final Reply reply;
    private final Instant received;
    private final Notes notes;
    private volatile String verb;
    private volatile LogicalCluster cluster = LogicalCluster.DEFAULT;
    private volatile @Nullable User user;
    private volatile @Nullable User impersonated;
    private volatile @Nullable Target target;
    private volatile Body body = Body.None.NONE;
    private volatile @Nullable Content answer;
    private volatile boolean unrecorded;

    Trace(AuditSink audit, InstantSource clock, Reply reply) {
        this.audit = audit;
        this.clock = clock;
        this.reply = reply;
        this.received = clock.instant();
        // Kept also where nobody reads them: whoever has them is not written down a second time further on.
        this.notes = Notes.empty();
        this.verb = reply.request().getMethod().toLowerCase(Locale.ROOT);
        if (audit.isOn()) {
            reply.whenDone(this::record);
        }
    }

    /// Not worth a line: nobody in particular asks whether the process is well.
    void leaveOut() {
        unrecorded = true;
    }

    Notes notes() {
        return notes;
    }

    void cluster(LogicalCluster known) {
        cluster = known;
    }

    void user(User known) {
        user = known;
    }

    void impersonated(User known) {
        impersonated = known;
    }

    void route(Route route) {
        if (route instanceof Route.OnResource on) {
            verb = on.verb().toString();
            target = on.target();
        }
    }

    void exchange(Route.OnResource route, Body sent, Answer received) {
        target = AuditedApi.named(route.verb(), route.target(), received);
        if (audit.level() == AuditSink.Level.REQUEST) {
            body = sent;
            answer = AuditedApi.content(received);
        }
    }

    private void record() {
        if (unrecorded) {
            return;
        }
        var exchange = audit.level() == AuditSink.Level.REQUEST
                ? new AuditEvent.Exchange(body, answer)
                : AuditEvent.Exchange.NOTHING;
        audit.record(new AuditEvent(
                reply.auditId(),
                origin(reply),
                new AuditEvent.Who(Optional.ofNullable(user), Optional.ofNullable(impersonated)),
                cluster,
                verb,
                target,
                new AuditEvent.Outcome(reply.status(), reply.refusal()),
                notes,
                exchange,
                received,
                clock.instant()));
    }

    private static AuditEvent.Origin origin(Reply reply) {
        var request = reply.request();
        return new AuditEvent.Origin(
                request.getHttpURI().getPathQuery(),
                Request.getRemoteAddr(request),
                reply.header(HttpHeader.USER_AGENT));
    }
}
