package dev.towtank.apiserver.http.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Header blocks of SPDY/3: each direction of a session is one zlib stream with a dictionary that both sides know.
final class SpdyHeaders implements AutoCloseable {

    private static final int LARGEST = 64 * 1024;
    private static final byte[] DICTIONARY = dictionary();

    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater();

    SpdyHeaders() {
        deflater.setDictionary(DICTIONARY);
    }

    private static byte[] dictionary() {
        try (var resource = SpdyHeaders.class.getResourceAsStream("spdy3.dictionary")) {
            if (resource == null) {
                throw new IllegalStateException("the SPDY dictionary is missing from the program");
            }
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @throws IOException when the block is no header block, or larger than any that a client needs
    Map<String, String> read(byte[] block) throws IOException {
        var plain = ByteBuffer.wrap(inflate(block));
        var headers = new TreeMap<String, String>();
        try {
            int count = plain.getInt();
            for (int i = 0; i < count; i++) {
                var name = text(plain).toLowerCase(Locale.ROOT);
                headers.put(name, text(plain));
            }
        } catch (BufferUnderflowException e) {
            throw new IOException("a SPDY header block is cut off", e);
        }
        return headers;
    }

    private byte[] inflate(byte[] block) throws IOException {
        inflater.setInput(block);
        var plain = new byte[LARGEST];
        int length = 0;
        try {
            while (!inflater.needsInput() || inflater.needsDictionary()) {
                int count = inflater.inflate(plain, length, plain.length - length);
                length += count;
                if (inflater.needsDictionary()) {
                    inflater.setDictionary(DICTIONARY);
                } else if (count == 0) {
                    if (length == plain.length) {
                        throw new IOException("a SPDY header block is larger than " + LARGEST + " bytes");
                    }
                    break;
                }
            }
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException("a SPDY header block cannot be decompressed", e);
        }
        return Arrays.copyOf(plain, length);
    }

    private static String text(ByteBuffer buffer) throws IOException {
        int length = buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
            throw new IOException("a SPDY header block is cut off");
        }
        var bytes = new byte[length];
        buffer.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    byte[] write(Map<String, String> headers) {
        var plain = ByteBuffer.allocate(LARGEST);
        plain.putInt(headers.size());
        headers.forEach((name, value) -> {
            put(plain, name.toLowerCase(Locale.ROOT));
            put(plain, value);
        });
        deflater.setInput(plain.array(), 0, plain.position());
        var block = new byte[LARGEST];
        int length = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(block, length);
    }

    private static void put(ByteBuffer buffer, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putInt(bytes.length).put(bytes);
    }

    @Override
    public void close() {
        inflater.end();
        deflater.end();
    }
}
