package dev.towtank.node.sandbox.streams;

import dev.towtank.node.linux.Descriptors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;

/// What somebody says to a process; waits, without holding a thread of the machine, while the process does
/// not listen.
public final class Input extends OutputStream {

    private final Loop loop;
    private final byte[] atEnd;
    private int descriptor;

    /// @param descriptor does not block
    /// @param atEnd what tells the process that there is no more, where closing does not
    public Input(Loop loop, int descriptor, byte[] atEnd) {
        this.loop = loop;
        this.descriptor = descriptor;
        this.atEnd = atEnd;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (descriptor < 0) {
                throw new IOException("the input of the process is closed");
            }
            int count = Descriptors.writeSome(descriptor, bytes, offset + done, length - done);
            if (count < 0) {
                await();
            } else {
                done += count;
            }
        }
    }

    private void await() throws IOException {
        try {
            loop.awaitWritable(descriptor);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (descriptor >= 0) {
            if (atEnd.length > 0) {
                int _ = Descriptors.writeSome(descriptor, atEnd, 0, atEnd.length);
            }
            Descriptors.close(descriptor);
            descriptor = -1;
        }
    }
}
