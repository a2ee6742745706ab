package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.sandbox.Delegation.Choice;
import dev.towtank.node.sandbox.Delegation.Seen;
import dev.towtank.node.sandbox.Delegation.Top;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelegationTest {

    /// Groups are a name with what was seen: m for marked, w for writable, a for alone; `-` is the top.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "root's login,                        session-1.scope:w,   user-0.slice:w,       whole writable, TOP",
        "a user's login,                      session-1.scope,     user-7.slice,         whole,          NOWHERE",
        "a scope that systemd delegated,      run-1.scope:mw,      app.slice:w,          whole,          OWN",
        "root's delegated service,            tt.service:mw,       system.slice:w,       whole writable, OWN",
        "a subgroup of a delegated service,   main:w,              tt.service:mw,        whole,          PARENT",
        "a directory that root gave a user,   mine:wa,             -,                    whole,          OWN",
        "the same when others are there,      mine:w,              -,                    whole,          NOWHERE",
        "one more server there,               towtank-servers:w,   mine:w,               whole,          PARENT",
        "at the top,                          -,                   -,                    whole writable, TOP",
        "at the top as a user,                -,                   -,                    whole,          NOWHERE",
        "in a container,                      -,                   -,                    writable,       TOP",
        "one more server there as well,       towtank-servers:w,   -,                    writable,       TOP",
        "in a container that may write none,  -,                   -,                    '',             NOWHERE",
    })
    void choosesAPlaceForGroups(String where, String own, String parent, String top, Choice expected) {
        assertThat(Delegation.choose(seen(own), seen(parent), new Top(top.contains("whole"), top.contains("writable"))))
                .as(where)
                .isEqualTo(expected);
    }

    private static Optional<Seen> seen(String text) {
        var parts = (text + ":").split(":", -1);
        return text.equals("-")
                ? Optional.empty()
                : Optional.of(
                        new Seen(parts[0], parts[1].contains("m"), parts[1].contains("w"), parts[1].contains("a")));
    }
}
