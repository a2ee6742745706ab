package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryUpkeepTest {

    private static final long MEGABYTE = 1L << 20;

    private long used;
    private long reserved = 200 * MEGABYTE;
    private final List<Long> collected = new ArrayList<>();
    private final MemoryUpkeep memory = new MemoryUpkeep(() -> used, () -> reserved, () -> {
        collected.add(used);
        used = 40 * MEGABYTE;
    });

    private void lookWith(long megabytes) {
        used = megabytes * MEGABYTE;
        memory.look();
    }

    @Test
    void collectsThreeTimesAfterEachBusyTime() {
        lookWith(50);
        lookWith(100);
        assertThat(collected).isEmpty();

        lookWith(105);
        assertThat(collected).containsExactly(105 * MEGABYTE);
        lookWith(42);
        assertThat(collected).hasSize(1);
        lookWith(43);
        assertThat(collected).containsExactly(105 * MEGABYTE, 43 * MEGABYTE);
        for (int look = 4; look < 24; look++) {
            lookWith(44);
        }
        assertThat(collected).hasSize(2);
        lookWith(45);
        assertThat(collected).hasSize(3).last().isEqualTo(45 * MEGABYTE);
        for (int look = 25; look < 100; look++) {
            lookWith(44);
        }
        assertThat(collected).hasSize(3);

        lookWith(120);
        lookWith(121);
        assertThat(collected).hasSize(4).last().isEqualTo(121 * MEGABYTE);
    }

    @Test
    void leavesASmallProcessAlone() {
        reserved = 100 * MEGABYTE;
        lookWith(40);
        lookWith(41);
        lookWith(42);
        assertThat(collected).isEmpty();
    }

    @Test
    void collectsInABusyTimeWhenMuchHasGathered() {
        lookWith(100);
        lookWith(180);
        assertThat(collected).isEmpty();

        lookWith(200);
        assertThat(collected).containsExactly(200 * MEGABYTE);

        // 40 MB were left: now it takes more than 144.
        lookWith(80);
        lookWith(110);
        lookWith(140);
        assertThat(collected).hasSize(1);
        lookWith(170);
        assertThat(collected).containsExactly(200 * MEGABYTE, 170 * MEGABYTE);
    }
}
