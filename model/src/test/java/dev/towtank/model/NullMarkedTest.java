package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class NullMarkedTest {
    @Test
    void packageIsNullMarked() {
        assertThat(NullMarkedTest.class.getPackage().isAnnotationPresent(NullMarked.class))
                .isTrue();
    }
}
