package dev.towtank.apiserver.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/// Notices that the client of a watch over HTTP/1.1 is gone, though nothing is written that could fail.
///
/// HTTP/2 tells by itself. HTTP/1.1 reads nothing between a request and the end of its response, so we do: there is
/// nothing to come but the end. The connection is not used again, because its next request might have been eaten here.
final class Disconnection implements Callback {

    private final EndPoint endPoint;
    private final Runnable gone;
    private final ByteBuffer buffer = BufferUtil.allocate(16);

    private Disconnection(EndPoint endPoint, Runnable gone) {
        this.endPoint = endPoint;
        this.gone = gone;
    }

    /// Of who reads a stream; before the headers are sent.
    static void notice(Reply reply, Runnable gone) {
        if (isOldProtocol(reply)) {
            // As on other servers: the client sees whether it has got all of it.
            reply.headers().put(HttpHeader.TRANSFER_ENCODING, "chunked");
        }
        noticeWhileWorking(reply, gone);
    }

    /// Of who waits for an answer that takes its time; once the body was read.
    static void noticeWhileWorking(Reply reply, Runnable gone) {
        if (isOldProtocol(reply)) {
            reply.headers().put(HttpHeader.CONNECTION, "close");
            var endPoint =
                    reply.request().getConnectionMetaData().getConnection().getEndPoint();
            endPoint.tryFillInterested(new Disconnection(endPoint, gone));
        }
    }

    private static boolean isOldProtocol(Reply reply) {
        return reply.request().getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
    }

    @Override
    public void succeeded() {
        try {
            BufferUtil.clear(buffer);
            if (endPoint.fill(buffer) == 0) {
                endPoint.tryFillInterested(this);
            } else {
                gone.run();
            }
        } catch (IOException e) {
            gone.run();
        }
    }

    @Override
    public void failed(Throwable cause) {
        gone.run();
    }
}
