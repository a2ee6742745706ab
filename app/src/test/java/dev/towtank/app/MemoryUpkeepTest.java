package dev.towtank.app;

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
    void collectsOnceAfterEachBusyTime() {
        lookWith(100);
        lookWith(150);
        assertThat(collected).isEmpty();

        lookWith(155);
        lookWith(42);
        lookWith(45);
        assertThat(collected).containsExactly(155 * MEGABYTE);

        lookWith(120);
        lookWith(121);
        assertThat(collected).containsExactly(155 * MEGABYTE, 121 * MEGABYTE);
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

        // 40 MB were left: now it takes more than 272.
        lookWith(140);
        lookWith(220);
        lookWith(270);
        assertThat(collected).hasSize(1);
        lookWith(300);
        assertThat(collected).containsExactly(200 * MEGABYTE, 300 * MEGABYTE);
    }
}
