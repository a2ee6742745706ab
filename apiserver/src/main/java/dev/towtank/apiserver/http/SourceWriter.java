package dev.towtank.apiserver.http;

import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/// Writes a long response through one pooled buffer, as fast as the client reads and without holding a thread.
///
/// Making one big array of a list would cost the garbage collector more than the copying costs.
final class SourceWriter extends IteratingCallback {

    /// A few TLS records; what fits is sent in one piece.
    static final int BUFFER = 64 * 1024;

    private final Response response;
    private final BodySource source;
    private final Callback callback;
    private final RetainableByteBuffer.Mutable buffer;
    private boolean last;

    SourceWriter(Request request, Response response, BodySource source, Callback callback) {
        this.response = response;
        this.source = source;
        this.callback = callback;
        this.buffer = request.getComponents().getByteBufferPool().acquire(BUFFER, false);
    }

    @Override
    protected Action process() {
        if (last) {
            return Action.SUCCEEDED;
        }
        var bytes = buffer.getByteBuffer();
        BufferUtil.clearToFill(bytes);
        last = source.fill(bytes);
        BufferUtil.flipToFlush(bytes, 0);
        response.write(last, bytes, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        finish();
        callback.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        finish();
        callback.failed(cause);
    }

    private void finish() {
        source.close();
        buffer.release();
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
