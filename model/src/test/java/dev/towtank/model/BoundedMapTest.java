package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedMapTest {

    private static BoundedMap<String, Integer> filled(BoundedMap<String, Integer> map) {
        map.put("a", 1);
        map.put("b", 2);
        assertThat(map.get("a")).isEqualTo(1);
        map.put("c", 3);
        return map;
    }

    @Test
    void whatWasUsedStays() {
        assertThat(filled(BoundedMap.byUse(2))).containsOnlyKeys("a", "c");
    }

    @Test
    void whatIsOldGoes() {
        assertThat(filled(BoundedMap.byAge(2))).containsOnlyKeys("b", "c");
    }
}
