package dev.towtank.apiserver.http;

import dev.towtank.model.patch.Patch;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// A server-side apply of which some of the body has come together with its header, most often all of it.
///
/// Nobody has to wait for a body that is here: such a request may be answered by the thread that reads connections.
final class Arrived extends Request.Wrapper {

    private final boolean whole;
    // Taken by one thread after the other, never by two at once.
    private Content.@Nullable Chunk first;

    private Arrived(Request request, Content.Chunk first, boolean whole) {
        super(request);
        this.first = first;
        this.whole = whole;
    }

    /// Empty for other requests, and where nothing has come yet.
    static Optional<Arrived> of(Request request) {
        long length = request.getLength();
        if (!isApply(request) || length <= 0 || length > Bodies.TRUSTED) {
            return Optional.empty();
        }
        var chunk = request.read();
        if (chunk == null || Content.Chunk.isFailure(chunk)) {
            return Optional.empty(); // whoever reads the body is told again
        }
        // A copy, because a request that is refused is never read, and what Jetty lends must be given back.
        var bytes = ByteBuffer.allocate(chunk.remaining());
        bytes.put(chunk.getByteBuffer()).flip();
        chunk.release();
        return Optional.of(new Arrived(request, Content.Chunk.from(bytes, false), bytes.remaining() == length));
    }

    // Who asks whether to send the body at all is told so once it is known who asks.
    private static boolean isApply(Request request) {
        var mediaType = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return request.getMethod().equals("PATCH")
                && mediaType != null
                && Patch.isApply(mediaType)
                && !request.getHeaders().contains(HttpHeader.EXPECT);
    }

    boolean isWhole() {
        return whole;
    }

    @Override
    public Content.@Nullable Chunk read() {
        var chunk = first;
        if (chunk == null) {
            return super.read();
        }
        first = null;
        return chunk;
    }

    @Override
    public void demand(Runnable whenThere) {
        if (first == null) {
            super.demand(whenThere);
        } else {
            whenThere.run();
        }
    }
}
