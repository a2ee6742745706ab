package dev.towtank.apiserver.http;

import dev.towtank.apiserver.audit.AuditedApi;
import dev.towtank.apiserver.view.Form;
import dev.towtank.apiserver.view.Payload;
import dev.towtank.apiserver.view.Rendering;
import dev.towtank.apiserver.view.TableView;
import dev.towtank.apiserver.view.Warnings;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// The response to one request. It is sent once: of an answer and a timeout, the first wins and the other is dropped.
final class Reply {

    private static final System.Logger LOG = System.getLogger(Reply.class.getName());
    private static final long COMPRESSED_FROM = 128 * 1024;
    private static final int LONGEST_AUDIT_ID = 64;
    private static final HttpField PRIVATE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache, private");
    private static final HttpField NO_SNIFF = new PreEncodedHttpField("X-Content-Type-Options", "nosniff");

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<Runnable> whenDone = new ArrayList<>(2);
    private final Reception reception = new Reception();
    private final String auditId;
    private volatile boolean abandoned;
    private volatile Form form = Form.JSON;
    private volatile @Nullable StatusError refusal;
    private volatile List<String> standing = List.of();

    Reply(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.auditId = auditId(request);
    }

    Request request() {
        return request;
    }

    /// By which the body of the request is read.
    Reception reception() {
        return reception;
    }

    String header(HttpHeader name) {
        var value = request.getHeaders().get(name);
        return value == null ? "" : value;
    }

    /// From now on errors too have this form.
    void speak(Form chosen) {
        form = chosen;
    }

    Form form() {
        return form;
    }

    /// How long this request has taken so far.
    double seconds() {
        return (System.nanoTime() - request.getBeginNanoTime()) / 1e9;
    }

    /// Runs once the client has everything, or is gone. Before anything is sent.
    void whenDone(Runnable action) {
        whenDone.add(action);
    }

    /// The client is gone.
    void abandon() {
        abandoned = true;
    }

    /// Whether nobody waits for an answer any more: the client has one, such as that it took too long, or is gone.
    boolean isOver() {
        return abandoned || begun.get();
    }

    int status() {
        return response.getStatus();
    }

    /// By which people find this request in the audit log.
    String auditId() {
        return auditId;
    }

    /// Why the client got no answer; null where it got one.
    @Nullable
    StatusError refusal() {
        return refusal;
    }

    /// From now until the end of this request silence is normal: somebody else sees to it that it ends.
    void allowSilence() {
        request.addHttpStreamWrapper(stream -> {
            long before = stream.getIdleTimeout();
            stream.setIdleTimeout(0);
            whenDone(() -> stream.setIdleTimeout(before));
            return stream;
        });
    }

    /// Takes the right to send. The headers that every response has are set.
    boolean begin(int code) {
        if (!begun.compareAndSet(false, true)) {
            return false;
        }
        response.setStatus(code);
        response.getHeaders().add("Audit-Id", auditId);
        if (!response.getHeaders().contains(HttpHeader.CACHE_CONTROL)) {
            response.getHeaders().add(PRIVATE);
        }
        return true;
    }

    HttpFields.Mutable headers() {
        return response.getHeaders();
    }

    /// What every answer to this request warns of, be it a refusal.
    void alwaysWarn(List<String> warnings) {
        standing = List.copyOf(warnings);
    }

    void warn(List<String> warnings) {
        var all = standing.isEmpty()
                ? warnings
                : Stream.concat(standing.stream(), warnings.stream()).toList();
        Warnings.headers(all).forEach(text -> response.getHeaders().add("Warning", text));
    }

    void send(int code, String contentType, Payload payload, List<String> warnings) {
        if (begin(code)) {
            warn(warnings);
            write(contentType, payload);
        }
    }

    void refuse(StatusError error) {
        if (begin(error.code())) {
            refusal = error;
            response.getHeaders().add(NO_SNIFF);
            if (error.retryAfterSeconds() > 0) {
                response.getHeaders().add(HttpHeader.RETRY_AFTER, error.retryAfterSeconds());
            }
            warn(List.of());
            if (error.isPage()) {
                write("text/plain; charset=utf-8", Payload.of(error.text() + "\n"));
                return;
            }
            var rendering = new Rendering(form.plain(), TableView.Include.NONE, Instant.EPOCH);
            write(form.format().mediaType(), rendering.of(error));
        }
    }

    /// Our mistake: the client learns that much, the log the rest.
    void crash(Throwable cause) {
        var path = request.getHttpURI().getPath();
        // After a timeout the connection may be gone under the hands of whoever still works on the request.
        var level = begun.get() ? System.Logger.Level.DEBUG : System.Logger.Level.ERROR;
        LOG.log(level, "the request " + request.getMethod() + " " + path + " failed", cause);
        refuse(new StatusError(
                StatusError.Reason.INTERNAL_ERROR,
                "Internal error occurred: this request made the server fail; its log says where",
                Json.Obj.EMPTY));
    }

    void notModified() {
        if (begin(304)) {
            response.write(true, ByteBuffer.allocate(0), end());
        }
    }

    /// The rest of the response is sent by somebody else, who calls [#end] when it is.
    Response response() {
        return response;
    }

    Callback end() {
        return Callback.from(callback.getInvocationType(), this::done, this::failed);
    }

    private void done() {
        finish();
        callback.succeeded();
    }

    private void failed(Throwable cause) {
        finish();
        callback.failed(cause);
    }

    private void finish() {
        if (ended.compareAndSet(false, true)) {
            reception.stop();
            whenDone.forEach(Runnable::run);
        }
    }

    private void write(String contentType, Payload payload) {
        var headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, contentType);
        if (payload.length() > COMPRESSED_FROM && acceptsGzip()) {
            headers.put(HttpHeader.CONTENT_ENCODING, "gzip").add(HttpHeader.VARY, "Accept-Encoding");
            new SourceWriter(request, response, new BodySource.Gzip(payload), end()).iterate();
            return;
        }
        headers.put(HttpHeader.CONTENT_LENGTH, payload.length());
        if (payload.length() > SourceWriter.BUFFER) {
            new SourceWriter(request, response, new BodySource.Plain(payload), end()).iterate();
            return;
        }
        var buffer = ByteBuffer.allocate((int) payload.length());
        payload.pieces().forEach(buffer::put);
        response.write(true, buffer.flip(), end());
    }

    private boolean acceptsGzip() {
        return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING).contains("gzip");
    }

    private static String auditId(Request request) {
        var given = request.getHeaders().get("Audit-Id");
        if (given != null
                && !given.isEmpty()
                && given.length() <= LONGEST_AUDIT_ID
                && given.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return given;
        }
        return AuditedApi.id();
    }
}
