package dev.towtank.apiserver.http;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Asks now and then what the server shall prove itself with, and hands it on when it is another.
final class CertificateRenewal implements Deadlines.Item {

    private static final System.Logger LOG = System.getLogger(CertificateRenewal.class.getName());
    private static final Duration EVERY = Duration.ofHours(1);

    private final Supplier<Tls> newest;
    private final Consumer<Tls> use;
    private final Executor mayBlock;
    private volatile Instant next;
    private volatile Tls current;

    CertificateRenewal(Supplier<Tls> newest, Tls current, Instant now, Consumer<Tls> use, Executor mayBlock) {
        this.newest = newest;
        this.current = current;
        this.next = now.plus(EVERY);
        this.use = use;
        this.mayBlock = mayBlock;
    }

    @Override
    public void look(Instant now) {
        if (!now.isBefore(next)) {
            next = now.plus(EVERY);
            mayBlock.execute(this::renew);
        }
    }

    private synchronized void renew() {
        try {
            var found = newest.get();
            if (!found.chain().equals(current.chain())) {
                use.accept(found);
                current = found;
                LOG.log(
                        System.Logger.Level.INFO,
                        "the server's certificate was renewed, until "
                                + found.chain().getFirst().getNotAfter().toInstant());
            }
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the server's certificate could not be renewed; it is good until "
                            + current.chain().getFirst().getNotAfter().toInstant() + ", and this is tried every hour",
                    e);
        }
    }
}
