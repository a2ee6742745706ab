package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageMap.Lookup;
import dev.towtank.node.linux.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With an engine that only looks like one: it keeps what it was told, and runs commands as plain processes.
class EngineTest {

    private static final String ENGINE = """
            #!/bin/bash
            home=$(dirname "$0")
            last=${*: -1}
            [ "${1#--log-level}" = "$1" ] || { loud=no; shift; }
            case $1 in
                info) [ ! -e "$home/broken" ] || { echo "Error: cannot connect" >&2; exit 125; } ;;
                image)
                    [ -e "$home/$3" ] || { echo "Error: $3: image not known" >&2; exit 125; }
                    cat "$home/$3" ;;
                build)
                    printf '%s\\n' "$@" > "$home/build.words"
                    echo "STEP 1/1: $(head -1 "$3")"
                    ! grep -q fail "$3" || { echo "Error: no such file" >&2; exit 125; }
                    echo 26bd7cdd > "$home/--format" ;;
                pull)
                    [ "$3" = later ] || { echo Trying... >&2; echo "Error: no host for $3" >&2; exit 125; }
                    echo '[{"Config": {"Cmd": ["x"]}}]' > "$home/later" ;;
                create)
                    shift
                    name=$2
                    case " $* " in *' refused '*) echo "Error: no room" >&2; exit 125 ;; esac
                    printf '%s\\n' "$@" > "$home/$name.create"
                    : > "$home/$name.env"
                    while [ $# -gt 0 ]; do
                        case $1 in
                            --env) printf 'export %s\\n' "$(declare -p "$2" | cut -d' ' -f3-)" >> "$home/$name.env" ;;
                            --env-file) cp "$2" "$home/$name.file" ;;
                            --entrypoint) shift; printf '%q ' "$1" "${@:3}" > "$home/$name.line"; break ;;
                        esac
                        shift
                    done
                    echo 'created 0 false' > "$home/$name.state" ;;
                start)
                    line=$(cat "$home/$last.line")
                    case $line in
                        /no/*) echo "Error: executable file not found in path" >&2; exit 125 ;;
                        /docker/*)
                            [ -n "$loud" ] || echo 'level=error msg="context canceled"' >&2
                            echo "Error response from daemon: no such file" >&2; exit 1 ;;
                    esac
                    . "$home/$last.env"
                    trap 'told=yes; kill -TERM -$(cat "$home/$last.pid")' TERM
                    setsid --wait bash -c "echo \\$\\$ > '$home/$last.pid'; exec $line" &
                    echo 'running 0 false' > "$home/$last.state"
                    wait $!; code=$?
                    [ -z "$told" ] || { wait $!; code=$?; }
                    echo "exited $code $([ $code = 42 ] && echo true || echo false)" > "$home/$last.state"
                    exit $code ;;
                inspect)
                    case $3 in
                        *Running*) grep -q ^running "$home/$last.state" && echo true || echo false ;;
                        *) cat "$home/$last.state" ;;
                    esac ;;
                exec) shift; while [ "${1#--}" != "$1" ]; do [ "$1" != --workdir ] || { cd "$2"; shift; }; shift; done; shift; exec "$@" ;;
                rm)
                    echo "$last" >> "$home/removed"
                    [ ! -e "$home/$last.pid" ] || kill -9 -$(cat "$home/$last.pid") 2>/dev/null
                    rm -f "$home/$last.state" ;;
                *) exit 99 ;;
            esac
            """;

    @TempDir
    Path home;

    private ContainerEngine engine;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        var program = home.resolve("engine/podman");
        Files.createDirectories(home.resolve("engine"));
        Files.createDirectories(home.resolve("shared"));
        Files.writeString(program, ENGINE);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        engine = ContainerEngine.of("podman", program, home.resolve("shared"));
        sandbox = Sandboxes.engine(engine, home.resolve("shared"), InstantSource.system());
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private Recipe recipe() {
        return new Recipe("c1", home).ofEngine();
    }

    private String file(String name) throws IOException {
        return Files.readString(home.resolve("engine").resolve(name));
    }

    @Test
    void runsACommandToItsEndAndRemovesTheContainer() throws Exception {
        var process =
                sandbox.start(recipe().script("echo out; echo err >&2; exit 7").spec());

        assertThat(process.await().code()).isEqualTo(7);
        assertThat(Logs.all(process)).isEqualTo("out\nerr\n");
        assertThat(file("removed")).isEqualTo("towtank-c1\n");
    }

    @Test
    void tellsTheEngineAllThatThePodAsksFor() throws Exception {
        var volume = Files.createDirectory(home.resolve("a,b"));
        var process = sandbox.start(recipe().script("true")
                .mount(volume, "/v", true)
                .user(12, 34)
                .memory(1 << 20)
                .withoutNetwork()
                .readOnlyRoot()
                .unfiltered()
                .workingDirectory("/w")
                .spec());
        process.await();

        assertThat(file("towtank-c1.create").lines().filter(line -> !line.startsWith("n") && !line.equals("--ulimit")))
                .containsExactly(
                        "--name",
                        "towtank-c1",
                        "--pull",
                        "--log-driver",
                        "--network",
                        "--hostname",
                        "test-host",
                        "--security-opt",
                        "--security-opt",
                        "seccomp=unconfined",
                        "--pids-limit",
                        "1024",
                        "--memory",
                        "1048576b",
                        "--user",
                        "12:34",
                        "--read-only",
                        "--workdir",
                        "/w",
                        "--env-file",
                        home.resolve("runs/c1/variables").toString(),
                        "--mount",
                        "type=bind,\"source=" + volume + "\",target=/v,readonly",
                        "--entrypoint",
                        "/bin/sh",
                        "test",
                        "-c",
                        "true");
        assertThat(file("towtank-c1.create")).contains("never", "none", "no-new-privileges");
        assertThat(home.resolve("runs/c1/variables")).doesNotExist();
    }

    @Test
    void givesVariablesToTheContainerAndToNobodyElse() throws Exception {
        var process = sandbox.start(recipe().script("echo \"$A\"")
                .variable("A", "one\ntwo")
                .variable("LD_PRELOAD", "/evil.so")
                .variable("with.dot", "x")
                .masked("two-is-secret")
                .spec());

        assertThat(process.await().code()).isZero();
        assertThat(Logs.all(process)).isEqualTo("one\ntwo\n");
        assertThat(file("towtank-c1.file")).isEqualTo("LD_PRELOAD=/evil.so\nwith.dot=x\n");
        assertThatThrownBy(() -> sandbox.start(new Recipe("c2", home)
                        .ofEngine()
                        .variable("PATH", "a\nb")
                        .spec()))
                .hasMessageContaining("PATH has several lines");
    }

    @Test
    void saysWhyNothingWasStarted() throws Exception {
        assertThat(sandbox.start(recipe().command("/no/such").spec()).await())
                .isInstanceOfSatisfying(Exit.NotStarted.class, exit -> {
                    assertThat(exit.message()).isEqualTo("podman: executable file not found in path");
                    assertThat(exit.shellCode()).isEqualTo(127);
                });
        assertThat(sandbox.start(new Recipe("c2", home)
                                .ofEngine()
                                .command("x", "refused")
                                .spec())
                        .await())
                .isInstanceOfSatisfying(
                        Exit.NotStarted.class,
                        exit -> assertThat(exit.message()).isEqualTo("podman: no room"));
    }

    @Test
    void understandsWhatDockerSaysWhenNothingWasStarted() throws Exception {
        engine = ContainerEngine.of("docker", engine.program(), engine.scratch());
        try (var docker = Sandboxes.engine(engine, home.resolve("shared-docker"), InstantSource.system())) {
            var exit = docker.start(recipe().command("/docker/nope").spec()).await();

            assertThat(exit)
                    .isInstanceOfSatisfying(
                            Exit.NotStarted.class,
                            it -> assertThat(it.message()).isEqualTo("docker: no such file"));
        }
    }

    @Test
    void tellsWhatRanOutOfMemory() throws Exception {
        assertThat(sandbox.start(recipe().script("exit 42").spec()).await())
                .isInstanceOfSatisfying(
                        Exit.Ended.class, exit -> assertThat(exit.outOfMemory()).isTrue());
    }

    private static void awaitLine(RunningProcess process) throws IOException {
        try (var in = process.log().read(Logs.following())) {
            Logs.line(in);
        }
    }

    @Test
    void passesSignalsOnAndKillsWhatDoesNotListen() throws Exception {
        var polite = sandbox.start(recipe().script("trap 'exit 3' TERM; echo up; while :; do sleep 0.05; done")
                .spec());
        awaitLine(polite);
        polite.signal(Signal.TERM);
        assertThat(polite.await().code()).isEqualTo(3);

        var deaf = sandbox.start(new Recipe("c2", home)
                .ofEngine()
                .script("trap '' TERM; echo up; while :; do sleep 0.05; done")
                .spec());
        awaitLine(deaf);
        deaf.kill();
        assertThat(deaf.await().code()).isEqualTo(137);
        assertThat(file("removed")).isEqualTo("towtank-c1\ntowtank-c2\n");
    }

    @Test
    void runsMoreInARunningContainer() throws Exception {
        var process = sandbox.start(recipe().script("echo up; sleep 100").spec());
        awaitLine(process);
        var command = new ExecSpec(List.of("sh", "-c", "pwd; exit 4"), Map.of(), "/usr", false, false);
        try (var session = sandbox.exec("c1", command)) {
            assertThat(session.stdout().readAllBytes()).asString().isEqualTo("/usr\n");
            assertThat(session.await()).hasValue(4);
        }
        process.kill();
        process.await();
    }

    @Test
    void findsContainersOfAnEarlierServerAgain() throws Exception {
        var go = home.resolve("go");
        var spec = recipe().script("echo before; until [ -e " + go + " ]; do sleep 0.05; done; echo after; exit 6")
                .spec();
        awaitLine(sandbox.start(spec));
        sandbox.close();
        Files.createFile(go);
        sandbox = Sandboxes.engine(engine, home.resolve("shared"), InstantSource.system());

        var found = sandbox.join(spec.trace()).orElseThrow();

        assertThat(found.await().code()).isEqualTo(6);
        assertThat(Logs.all(found)).isEqualTo("before\nafter\n");
    }

    @Test
    void removesWhatAKilledMonitorLeft() throws Exception {
        sandbox.remove("old", home.resolve("runs/old"));

        assertThat(file("removed")).isEqualTo("towtank-old\n");
    }

    @Test
    void refusesToStartWithoutAWorkingEngine() throws IOException {
        Files.createFile(home.resolve("engine/broken"));

        assertThatThrownBy(() -> Sandboxes.engine(engine, home.resolve("shared"), InstantSource.system()))
                .hasMessage("podman does not work here (it said: cannot connect). Try 'podman info' by hand.");
    }

    @Test
    void findsImagesAndPullsThem() throws IOException {
        Files.writeString(home.resolve("engine/here"), """
                [{"Id": "1", "Config": {"Entrypoint": ["e"], "Cmd": null, "User": "7", "WorkingDir": "/w", "Env": ["A=b=c"]}}]
                """);
        var images = new EngineImages(engine);

        assertThat(images.find("here"))
                .isEqualTo(new Lookup.Found(new Image(
                        "here",
                        new Image.Root.Engine(),
                        Image.Shell.OWN,
                        List.of("e"),
                        List.of(),
                        "7",
                        "/w",
                        Map.of("A", "b=c"),
                        Map.of())));
        assertThat(images.find("later", "Never")).isInstanceOf(Lookup.NotFound.class);
        assertThat(images.find("later", "IfNotPresent")).isInstanceOf(Lookup.Found.class);
        assertThat(images.find("gone", "Always"))
                .isEqualTo(new Lookup.NotFound("ErrImagePull", "podman: no host for gone"));
        assertThat(images.find("--privileged"))
                .isInstanceOfSatisfying(
                        Lookup.NotFound.class,
                        missing -> assertThat(missing.reason()).isEqualTo("InvalidImageName"));
    }

    @Test
    void anImageIsBuiltOrItIsToldWhyNot() throws IOException {
        var builds = new EngineBuilds(engine);
        var log = new ArrayList<String>();
        var recipe = Files.writeString(home.resolve("Dockerfile"), "FROM base\n");
        var order = new ImageShelf.Engine.Order(home, recipe, "registry.example/demo/app:latest", Map.of("A", "b"));
        assertThat(builds.build(order, log::add)).contains("26bd7cdd");
        assertThat(log).containsExactly("STEP 1/1: FROM base");
        assertThat(file("build.words"))
                .isEqualTo("build\n--file\n%s\n--tag\nregistry.example/demo/app:latest\n--build-arg\nA=b\n%s\n"
                        .formatted(recipe, home));
        Files.writeString(recipe, "FROM fail\n");
        assertThat(builds.build(order, log::add)).isEmpty();
        assertThat(log).endsWith("STEP 1/1: FROM fail", "no such file");
    }
}
