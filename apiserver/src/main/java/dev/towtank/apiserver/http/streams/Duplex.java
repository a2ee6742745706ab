package dev.towtank.apiserver.http.streams;

import java.io.InputStream;
import java.io.OutputStream;

/// Bytes both ways, over whatever carries them.
interface Duplex extends AutoCloseable {

    InputStream input();

    OutputStream output();

    @Override
    void close();
}
