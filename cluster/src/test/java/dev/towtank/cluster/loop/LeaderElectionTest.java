package dev.towtank.cluster.loop;

import static dev.towtank.cluster.loop.LeaderElection.LEASES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.ReadOnlyCluster;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LeaderElectionTest {

    private static final ObjectName NAME = ObjectName.of("kube-system", "towtank");

    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final ReadOnlyCluster sick = new ReadOnlyCluster(cluster);
    private final LeaderElection first = candidate(cluster, "first");
    private final LeaderElection second = candidate(cluster, "second");

    private LeaderElection candidate(Cluster api, String identity) {
        return new LeaderElection(
                api, timers, NAME, identity, LeaderElection.Settings.USUAL, new LeaderElection.Leadership() {
                    @Override
                    public void begin() {
                        told.add(identity + " begins");
                    }

                    @Override
                    public void end() {
                        told.add(identity + " ends");
                    }
                });
    }

    private Json.Obj lease() {
        return cluster.get(LEASES, NAME).orElseThrow().spec();
    }

    @Test
    void makesALeaseWhereNoneIs() {
        assertThat(first.step()).isTrue();

        assertThat(first.isLeader()).isTrue();
        assertThat(lease()).isEqualTo(JsonText.parse("""
                {"holderIdentity":"first","leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000000Z",
                 "renewTime":"2026-01-01T00:00:00.000000Z","leaseTransitions":0}
                """));
    }

    @Test
    void renewsWhatItHolds() {
        first.step();
        timers.advance(Duration.ofSeconds(2));
        first.step();

        assertThat(told).containsExactly("first begins");
        assertThat(lease().string("acquireTime")).isEqualTo("2026-01-01T00:00:00.000000Z");
        assertThat(lease().string("renewTime")).isEqualTo("2026-01-01T00:00:02.000000Z");
        assertThat(lease().integer("leaseTransitions")).isZero();
    }

    @Test
    void waitsUntilASilentLeadersLeaseIsOver() {
        first.step();
        second.step();
        timers.advance(Duration.ofSeconds(14));
        second.step();
        assertThat(second.isLeader()).isFalse();

        timers.advance(Duration.ofSeconds(1));
        second.step();

        assertThat(second.isLeader()).isTrue();
        assertThat(lease().string("holderIdentity")).isEqualTo("second");
        assertThat(lease().integer("leaseTransitions")).isEqualTo(1);
    }

    @Test
    void measuresTheLeaseByItsOwnClockFromWhenItSawIt() {
        first.step();
        timers.advance(Duration.ofHours(1));
        second.step();

        assertThat(second.isLeader()).isFalse();
        timers.advance(Duration.ofSeconds(15));
        second.step();
        assertThat(second.isLeader()).isTrue();
    }

    @Test
    void neverTakesALeaseThatIsRenewed() {
        first.step();
        for (int i = 0; i < 30; i++) {
            timers.advance(Duration.ofSeconds(2));
            first.step();
            second.step();
        }

        assertThat(told).containsExactly("first begins");
    }

    @Test
    void stopsLeadingWhenItCannotRenew() throws InterruptedException {
        var third = candidate(sick, "third");
        sick.open();
        third.step();
        assertThat(told.take()).isEqualTo("third begins");

        cluster.delete(LEASES, NAME, Cluster.DeleteOptions.DEFAULT);
        first.step();
        assertThat(told.take()).isEqualTo("first begins");
        timers.advance(Duration.ofSeconds(9));
        first.step();
        third.step();
        assertThat(third.isLeader()).isTrue();
        timers.advance(Duration.ofSeconds(1));

        assertThat(told.take()).isEqualTo("third ends");
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    void givesTheLeaseAwayWhenClosed() {
        first.step();
        second.step();
        first.close();

        assertThat(lease().string("holderIdentity")).isEmpty();
        assertThat(lease().integer("leaseDurationSeconds")).isEqualTo(1);
        second.step();

        assertThat(told).containsExactly("first begins", "first ends", "second begins");
        assertThat(lease().integer("leaseTransitions")).isEqualTo(1);
        assertThat(first.step()).isFalse();
        assertThat(first.isLeader()).isFalse();
        assertThat(lease().string("holderIdentity")).isEqualTo("second");
    }

    @Test
    void keepsFieldsOfTheLeaseThatAreNotOurs() {
        first.step();
        cluster.patch(
                LEASES,
                NAME,
                new Patch.Merge(JsonText.parseObject("{\"spec\":{\"strategy\":\"OldestEmulationVersion\"}}")),
                Cluster.WriteOptions.DEFAULT);
        timers.advance(Duration.ofSeconds(2));
        first.step();

        assertThat(lease().string("strategy")).isEqualTo("OldestEmulationVersion");
    }

    @Test
    void runsByItself() throws InterruptedException {
        first.start();
        assertThat(told.take()).isEqualTo("first begins");
        second.start();

        // Both wait for their next try, and the leader's deadline for being missed.
        timers.awaitWaiting(3);
        first.close();
        assertThat(told.take()).isEqualTo("first ends");
        timers.advance(Duration.ofSeconds(2));

        assertThat(told.take()).isEqualTo("second begins");
        second.close();
        assertThat(told.take()).isEqualTo("second ends");
    }

    @Test
    void refusesTimesThatCannotWork() {
        assertThatThrownBy(() -> new LeaderElection.Settings(
                        Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void doesNotLeadWhenTheServerRefuses() {
        var third = candidate(sick, "third");

        assertThat(third.step()).isTrue();
        assertThat(third.isLeader()).isFalse();
        assertThatThrownBy(() -> sick.delete(LEASES, NAME, Cluster.DeleteOptions.DEFAULT))
                .isInstanceOf(StatusError.class);
    }
}
