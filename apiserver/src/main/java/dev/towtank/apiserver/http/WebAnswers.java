package dev.towtank.apiserver.http;

import dev.towtank.apiserver.audit.AuditedApi;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// Between what Jetty reads and writes and what features do.
final class WebAnswers {

    private static final System.Logger LOG = System.getLogger(WebAnswers.class.getName());
    private static final int CLIENT_CLOSED = 499;
    private static final long FORGOTTEN = 64L << 20;

    private WebAnswers() {}

    /// @param path from its first slash on
    static WebRequest request(
            Request request, Reception reception, String path, long largestBody, Optional<WebRequest.Caller> caller) {
        var query = request.getHttpURI().getQuery();
        return new WebRequest(
                request.getMethod(),
                path,
                query == null ? "" : query,
                headers(request.getHeaders()),
                new Bounded(Content.Source.asInputStream(request), reception, largestBody),
                caller,
                request.isSecure());
    }

    private static Map<String, List<String>> headers(HttpFields fields) {
        var headers = new TreeMap<String, List<String>>();
        for (HttpField field : fields) {
            headers.computeIfAbsent(
                    field.getLowerCaseName(), name -> fields.getValuesList(name.toLowerCase(Locale.ROOT)));
        }
        return headers;
    }

    /// What the handler says, or what is to be said when it does not: never what went wrong inside.
    ///
    /// Whoever is refused while they still send would see a broken connection instead of the refusal. So the rest
    /// is read and forgotten first, within reason.
    static WebResponse answer(WebHandler handler, WebRequest request) {
        var answer = said(handler, request);
        if (answer.status() >= 400 && answer.status() != CLIENT_CLOSED && request.body() instanceof Bounded body) {
            body.forgetRest();
        }
        return answer;
    }

    private static WebResponse said(WebHandler handler, WebRequest request) {
        try {
            return handler.handle(request);
        } catch (StatusError e) {
            var response = WebResponse.json(e.code(), e.toJson());
            return e.retryAfterSeconds() > 0
                    ? response.with("Retry-After", Long.toString(e.retryAfterSeconds()))
                    : response;
        } catch (WebRequest.TooLarge e) {
            return WebResponse.text(413, e.getMessage() + "\n");
        } catch (InterruptedException | InterruptedIOException e) {
            Thread.currentThread().interrupt();
            return WebResponse.empty(CLIENT_CLOSED);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the request {0} was not finished: {1}", request, e.toString());
            return WebResponse.text(400, "the request could not be read to its end\n");
        } catch (RuntimeException | StackOverflowError e) {
            var id = AuditedApi.id();
            LOG.log(Level.ERROR, "the request " + request + " failed (" + id + ")", e);
            return WebResponse.json(
                    500,
                    new StatusError(
                                    StatusError.Reason.INTERNAL_ERROR,
                                    "Internal error occurred: this request made the server fail; its log says where, under "
                                            + id,
                                    Json.Obj.EMPTY)
                            .toJson());
        }
    }

    /// Blocks until the client has it all.
    static void send(WebResponse answer, org.eclipse.jetty.server.Response response, boolean withBody)
            throws IOException, InterruptedException {
        response.setStatus(answer.status());
        answer.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
        if (answer.length() >= 0) {
            response.getHeaders().put("Content-Length", answer.length());
        }
        try (var out = Content.Sink.asOutputStream(response)) {
            if (withBody) {
                answer.body().writeTo(out);
            }
        }
    }

    /// Says so when more comes than is taken here.
    private static final class Bounded extends FilterInputStream {
        private final Reception reception;
        private final long limit;
        private long left;

        Bounded(InputStream in, Reception reception, long limit) {
            super(in);
            this.reception = reception;
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            int read = read(one, 0, 1);
            return read < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = reception.read(() -> super.read(bytes, offset, length));
            left -= Math.max(0, read);
            if (left < 0) {
                throw new WebRequest.TooLarge(limit);
            }
            return read;
        }

        void forgetRest() {
            var bytes = new byte[1 << 14];
            try {
                long forgotten = 0;
                for (int read = 0; read >= 0 && forgotten < FORGOTTEN; forgotten += read) {
                    read = reception.read(() -> super.read(bytes, 0, bytes.length));
                }
            } catch (IOException | IllegalStateException e) {
                // the client is gone, or has been answered meanwhile
            }
        }

        @Override
        public long skip(long count) throws IOException {
            return reception.read(() -> super.skip(count));
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
