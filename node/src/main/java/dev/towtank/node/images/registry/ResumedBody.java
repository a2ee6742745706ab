package dev.towtank.node.images.registry;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// A large answer that is asked for again from where it broke off.
final class ResumedBody extends InputStream {

    private static final int TRIES = 4;

    @FunctionalInterface
    interface Opening {
        InputStream from(long position) throws IOException;
    }

    private final Opening opening;
    private final long size;
    private @Nullable InputStream body;
    private long position;
    private int failures;

    /// @param size what it has: less is broken off, more a lie
    ResumedBody(Opening opening, long size) {
        this.opening = opening;
        this.size = size;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (true) {
            try {
                if (body == null) {
                    body = opening.from(position);
                }
                int count = body.read(into, offset, length);
                if (count < 0 && position < size) {
                    throw new EOFException("it ends after " + position + " of " + size + " bytes");
                }
                position += Math.max(0, count);
                if (position > size) {
                    throw new RegistryProblem("the registry sends more than the " + size + " bytes it promised");
                }
                return count;
            } catch (RegistryProblem e) {
                throw e;
            } catch (IOException e) {
                close();
                if (++failures == TRIES) {
                    throw new RegistryProblem("the connection broke " + TRIES + " times: " + e.getMessage());
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (body != null) {
            body.close();
            body = null;
        }
    }
}
