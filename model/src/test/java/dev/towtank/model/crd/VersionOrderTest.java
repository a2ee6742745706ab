package dev.towtank.model.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionOrderTest {

    @Test
    void prefersStableThenNewThenAnythingElse() {
        var expected = List.of(
                "v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10");
        var mixed = new ArrayList<>(expected);
        Collections.shuffle(mixed, new Random(5));
        mixed.sort(VersionOrder.PREFERRED_FIRST);
        assertThat(mixed).isEqualTo(expected);
    }
}
