package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathTest {

    @Test
    void isWrittenAsKubernetesWritesIt() {
        var ports = Path.of("spec", "containers").index(0).child("ports").index(12);
        assertThat(ports.child("name").text()).isEqualTo("spec.containers[0].ports[12].name");
        assertThat(Path.of("metadata", "labels").key("a/b")).hasToString("metadata.labels[a/b]");
    }

    @Test
    void beginsWithoutADot() {
        assertThat(Path.ROOT.text()).isEmpty();
        assertThat(Path.ROOT.child("spec").child("x").text()).isEqualTo("spec.x");
        assertThat(Path.ROOT.child("").child("spec").text()).isEqualTo("spec");
        assertThat(Path.ROOT.index(1).child("a").text()).isEqualTo("[1].a");
    }

    @Test
    void isEqualByItsText() {
        assertThat(new Path("spec.a[0]"))
                .isEqualTo(Path.of("spec", "a").index(0))
                .hasSameHashCodeAs(Path.of("spec", "a").index(0));
        assertThat(Path.of("spec")).isNotEqualTo(Path.of("status"));
    }
}
