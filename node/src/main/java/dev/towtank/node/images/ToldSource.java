package dev.towtank.node.images;

import dev.towtank.node.images.store.Digest;
import dev.towtank.node.images.store.ImageSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/// A source that tells how much of an image has come.
record ToldSource(ImageSource source, LongConsumer progress) implements ImageSource {

    @Override
    public byte[] manifest(String version) throws IOException {
        return source.manifest(version);
    }

    @Override
    public InputStream blob(Digest digest, long size) throws IOException {
        return new FilterInputStream(source.blob(digest, size)) {
            @Override
            public int read() throws IOException {
                int one = in.read();
                if (one >= 0) {
                    progress.accept(1);
                }
                return one;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int count = in.read(into, offset, length);
                if (count > 0) {
                    progress.accept(count);
                }
                return count;
            }
        };
    }
}
