package dev.towtank.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ReceptionTest {

    private final Reception reception = new Reception();

    @Test
    void givesWhatIsRead() throws Exception {
        assertThat(reception.<String>read(() -> "body")).isEqualTo("body");
    }

    @Test
    void wakesWhoWaitsWhenItStops() throws Exception {
        var waits = new CountDownLatch(1);
        var reader = new FutureTask<>(() -> {
            assertThatThrownBy(() -> reception.read(() -> forEver(waits))).isInstanceOf(InterruptedIOException.class);
            return Thread.currentThread().isInterrupted();
        });
        Thread.ofVirtual().start(reader);
        waits.await();

        reception.stop();

        assertThat(reader.get()).isFalse();
    }

    @Test
    void interruptsNobodyWhoHasReadAll() throws Exception {
        var read = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        var worker = new FutureTask<>(() -> {
            reception.read(() -> "body");
            read.countDown();
            stopped.await();
            return Thread.currentThread().isInterrupted();
        });
        Thread.ofVirtual().start(worker);
        read.await();

        reception.stop();
        stopped.countDown();

        assertThat(worker.get()).isFalse();
    }

    @Test
    void leavesNoInterruptBehindForWhatComesNext() throws Exception {
        assertThat(reception.<String>read(() -> {
                    reception.stop();
                    return "body";
                }))
                .isEqualTo("body");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void readsNothingOnceItHasStopped() {
        reception.stop();
        assertThatThrownBy(() -> reception.read(() -> "body")).isInstanceOf(EOFException.class);
    }

    private static String forEver(CountDownLatch waits) throws InterruptedIOException {
        try {
            waits.countDown();
            new CountDownLatch(1).await();
            return "";
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }
}
