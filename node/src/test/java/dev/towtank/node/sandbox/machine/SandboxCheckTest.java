package dev.towtank.node.sandbox.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxCheckTest {

    @Test
    void thisMachineIsFit() {
        var check = SandboxCheck.run();

        assertThat(check.usable()).as(check.refusal()).isTrue();
        assertThat(check.findings()).extracting(SandboxCheck.Finding::name).contains("bwrap", "busybox", "namespaces");
    }

    @Test
    void whetherLayersCanBePutOverEachOtherIsTriedWhereTheyAre(@TempDir Path data) {
        assertThat(SandboxCheck.run(data).overlayProblem()).isEmpty();
        assertThat(data).isEmptyDirectory();

        var nowhere = SandboxCheck.run(Path.of("/proc"));
        assertThat(nowhere.overlayProblem().orElseThrow())
                .startsWith("layers of images cannot be put over each other here (");
        assertThat(nowhere.usable()).isTrue();
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
