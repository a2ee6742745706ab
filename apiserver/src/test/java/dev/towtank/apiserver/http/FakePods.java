package dev.towtank.apiserver.http;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/// Pods whose processes say `ready` on stderr, give back on stdout what they get on stdin, and end with it.
final class FakePods implements PodAccess {

    final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    volatile int exitCode;

    /// What port 80 says to whatever it is told.
    volatile String answer = "";

    @Override
    public InputStream log(Resource pod, LogRequest request) {
        seen.add("log " + request.container() + " " + request.tailLines());
        return new ByteArrayInputStream("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Session exec(Resource pod, ExecRequest request) {
        seen.add("exec " + request.command());
        return new Echo();
    }

    @Override
    public Session attach(Resource pod, ExecRequest request) {
        seen.add("attach");
        return new Echo();
    }

    @Override
    public Connection connect(Resource pod, int port) {
        if (port == 1) {
            throw StatusError.badRequest("nothing listens");
        }
        if (port == 80) {
            return new Answering();
        }
        var echo = new Echo();
        return new Connection() {
            @Override
            public InputStream input() {
                return echo.stdout();
            }

            @Override
            public OutputStream output() {
                return echo.stdin();
            }

            @Override
            public void close() {
                seen.add("disconnected");
            }
        };
    }

    private final class Answering implements Connection {
        private final ByteArrayOutputStream told = new ByteArrayOutputStream();

        @Override
        public InputStream input() {
            seen.add(told.toString(StandardCharsets.ISO_8859_1));
            return new ByteArrayInputStream(answer.getBytes(StandardCharsets.ISO_8859_1));
        }

        @Override
        public OutputStream output() {
            return told;
        }

        @Override
        public void close() {}
    }

    private final class Echo implements Session {
        private final PipedInputStream output = new PipedInputStream(1 << 20);
        private final PipedOutputStream input;
        private final CountDownLatch ended = new CountDownLatch(1);

        Echo() {
            try {
                input = new PipedOutputStream(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public OutputStream stdin() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    input.write(b);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    input.write(bytes, from, length);
                    input.flush();
                }

                @Override
                public void close() throws IOException {
                    input.close();
                    ended.countDown();
                }
            };
        }

        @Override
        public InputStream stdout() {
            return output;
        }

        @Override
        public InputStream stderr() {
            return new ByteArrayInputStream("ready".getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void resize(int columns, int rows) {
            seen.add("resize " + List.of(columns, rows));
        }

        @Override
        public OptionalInt await() throws InterruptedException {
            ended.await();
            return OptionalInt.of(exitCode);
        }

        @Override
        public void close() {
            ended.countDown();
            try {
                input.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
