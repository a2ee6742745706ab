package dev.towtank.app.applications.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShellScriptTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exit 1",
                "#!/bin/sh\nset -e\ntest -s /a\necho \"no version\" >&2\nexit 1\necho done",
                "#!/usr/bin/env bash\nif test -f a; then\n  echo a\nfi\nexit 2 # never mind",
                "for i in 1 2 3; do\n  echo $i\ndone\nexit 1;",
                "say() {\n  echo $1\n}\nsay a\nexit 1"
            })
    void isToldWhereNothingElseCanHappen(String script) {
        assertThat(ShellScript.end(script)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "exit 0",
                "exit",
                "exit 256",
                "echo exit 1",
                "test -f a ||\nexit 1",
                "test -f a || \\\n  exit 1",
                "if test -f a; then\n  exit 1\nfi",
                "while true; do\n  if test -f a; then exit 0; fi\n  sleep 1\ndone\nexit 1",
                "fail() {\n  exit 1\n}\ntest -f a",
                "case $1 in\n  a)\n    exit 1\n    ;;\nesac",
                "cat > script <<EOF\nexit 1\nEOF",
                "exec run\nexit 1",
                "trap 'exit 0' EXIT\nexit 1",
                "echo '\nexit 1\n'",
                "#!/usr/bin/python3\nexit 1",
                ". ./library\nexit 1"
            })
    void isNotToldWhereItMayEndWell(String script) {
        assertThat(ShellScript.end(script)).isEmpty();
    }
}
