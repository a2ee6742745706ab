package dev.towtank.node.sandbox.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SandboxCheckTest {

    @Test
    void thisMachineIsFit() {
        var check = SandboxCheck.run();

        assertThat(check.usable()).as(check.refusal()).isTrue();
        assertThat(check.findings()).extracting(SandboxCheck.Finding::name).contains("bwrap", "busybox", "namespaces");
    }

    @Test
    void aRefusalSaysWhyAndWhatToDo() {
        var check = new SandboxCheck(List.of(
                new SandboxCheck.Finding("a", true, true, "fine", ""),
                new SandboxCheck.Finding("bwrap", false, true, "the program bwrap is missing", "Install it."),
                new SandboxCheck.Finding("busybox", false, false, "not there", "Install it, too.")));

        assertThat(check.usable()).isFalse();
        assertThat(check.refusal())
                .isEqualTo("Containers cannot be isolated on this machine: the program bwrap is missing. Install it.");
    }
}
