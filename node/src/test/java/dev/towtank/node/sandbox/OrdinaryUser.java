package dev.towtank.node.sandbox;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A server without any rights; says what it got.
final class OrdinaryUser {

    /// What a shell on the way there would read, or change.
    private static final Map<String, String> UNUSUAL = Map.of(
            "PATH",
            "/usr/bin",
            "SHLVL",
            "7",
            "PWD",
            "/elsewhere",
            "IFS",
            ",",
            "LC_ALL",
            "no_SUCH",
            "BASH_ENV",
            "/no/such",
            "a.b-c",
            "it's",
            "TWO",
            "lines\n$(id) \\");

    private static final String BOMB =
            "(i=0; while [ $i -lt 60 ]; do sleep 100 & i=$((i+1)); done) >/dev/null 2>&1 || echo bounded";

    private OrdinaryUser() {}

    private static void say(Sandbox sandbox, List<String> command, Map<String, String> environment, boolean tty)
            throws Exception {
        try (var session = sandbox.exec("c1", new ExecSpec(command, environment, "/", false, tty))) {
            new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .sorted()
                    .forEach(System.out::println);
            System.out.print(new String(session.stderr().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]);
        try (var sandbox = Sandboxes.bubblewrap(home.resolve("shared"), InstantSource.system())) {
            var container = sandbox.start(new Recipe("c1", home)
                    .processes(20)
                    .user(7, 8)
                    .script("id -u; id -g; grep CapEff /proc/self/status; touch /etc/x && echo wrote; "
                            + "unshare -Ur true 2>/dev/null && echo nested; echo ready; sleep 100")
                    .spec());
            try (var in = container.log().read(Logs.following())) {
                for (var line = ""; !line.equals("ready"); ) {
                    line = Logs.line(in);
                    System.out.println(line);
                }
            }
            var inside = new ExecSpec(
                    List.of("sh", "-c", "id -u; cat /proc/1/comm; grep CapEff /proc/self/status"),
                    Map.of("PATH", "/usr/bin"),
                    "/",
                    false,
                    false);
            try (var session = sandbox.exec("c1", inside)) {
                System.out.print(new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8));
                System.out.print(new String(session.stderr().readAllBytes(), StandardCharsets.UTF_8));
            }
            say(sandbox, List.of("env"), UNUSUAL, false);
            say(sandbox, List.of("sh", "-c", "test -t 0 && echo terminal; ls /proc/self/fd | wc -w"), Map.of(), true);
            say(sandbox, List.of("sh", "-c", BOMB), Map.of("PATH", "/usr/bin"), false);
            container.kill();
            System.out.println(container.await().code());
            var bomb = sandbox.start(new Recipe("c2", home)
                    .processes(20)
                    .script("i=0; while [ $i -lt 60 ]; do sleep 100 & i=$((i+1)); done; echo survived")
                    .spec());
            bomb.await();
            System.out.println(Logs.all(bomb).contains("survived") ? "unbounded" : "bounded");
            System.out.println(sandbox.abilities().processes());
        }
    }
}
