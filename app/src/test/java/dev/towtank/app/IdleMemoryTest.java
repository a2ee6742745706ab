package dev.towtank.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleMemoryTest {

    private static final long MEGABYTE = 1L << 20;

    private long used;
    private long reserved = 200 * MEGABYTE;
    private final List<Long> collected = new ArrayList<>();
    private final IdleMemory memory = new IdleMemory(() -> used, () -> reserved, () -> {
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
}
