package dev.towtank.controllers.pipelines.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChildNamesTest {

    private static final String LONG_TASK = "a-task-with-a-name-that-is-nearly-as-long-as-names-may-be";

    @Test
    void numbersTheRunsOfAMatrix() {
        assertThat(ChildNames.ofCombination("run", "task", 2, 12)).isEqualTo("run-task-2");
    }

    @Test
    void givesASingleCombinationTheNameOfItsTask() {
        assertThat(ChildNames.ofCombination("run", "task", 0, 1)).isEqualTo("run-task");
    }

    @Test
    void keepsTheNumberWhereTheNameIsCut() {
        var whole = ChildNames.of("a-pipeline-run", "-" + LONG_TASK);

        assertThat(whole).hasSize(63);
        assertThat(ChildNames.ofCombination("a-pipeline-run", LONG_TASK, 7, 12))
                .isEqualTo(whole.substring(0, 60) + "-7")
                .isNotEqualTo(ChildNames.ofCombination("a-pipeline-run", LONG_TASK, 8, 12));
    }
}
