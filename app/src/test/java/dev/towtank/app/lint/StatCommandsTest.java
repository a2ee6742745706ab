package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.finding.Rule;
import org.junit.jupiter.api.Test;

final class StatCommandsTest {

    private static long found(String script) {
        return Linting.lint("""
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: t}
                spec:
                  steps:
                    - name: a
                      image: busybox:1.36
                      script: |
                        %s
                """.formatted(script)).findings().stream()
                .filter(finding -> finding.rule() == Rule.STAT_FORMAT)
                .count();
    }

    @Test
    void tellsOfACallAndNotOfAComment() {
        assertThat(found("size=$(stat -f%z model.pkl)")).isEqualTo(1);
        assertThat(found("# stat -f%z model.pkl")).isZero();
        assertThat(found("stat -c%s model.pkl")).isZero();
        assertThat(found("size=$(stat -c%s model.pkl 2>/dev/null || stat -f%z model.pkl)"))
                .isZero();
        assertThat(found("size=$(true || stat -f%z model.pkl)")).isEqualTo(1);
    }

    @Test
    void aLineThatCallsItAtEveryWordIsToldOfByItsFirstCalls() {
        assertThat(found("stat -f%z a; ".repeat(20_000))).isBetween(1L, 20L);
    }
}
