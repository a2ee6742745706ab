package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The part of the program that runs before Java does.
class LauncherTest {
    private static final String LAUNCHER = Checkout.ROOT.resolve("towtank").toString();
    private static final String SAYS_ARGUMENTS = "#!/bin/sh\nprintf '%s\\n' \"$@\"\n";

    @TempDir
    Path temp;

    @Test
    void isValidBash() throws Exception {
        assertThat(run(Map.of(), "bash", "-n", LAUNCHER)).isEqualTo(new Result(0, ""));
    }

    @Test
    void withoutAJdkSaysWhereToGetOne() throws Exception {
        var result = run(Map.of("TOWTANK_JAVA_HOME", temp.toString()), LAUNCHER, "version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output())
                .startsWith("towtank: Towtank needs a JDK 25 or newer, and none of these is one: " + temp + ".\n")
                .contains("apt-get install openjdk-25-jdk-headless", "https://adoptium.net/", "TOWTANK_JAVA_HOME");
    }

    @Test
    void anOlderJdkIsNotEnough() throws Exception {
        fakeJdk("17.0.15");

        var result = run(Map.of("TOWTANK_JAVA_HOME", temp.toString()), LAUNCHER, "version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output()).contains("needs a JDK 25 or newer");
    }

    @Test
    void withoutAptSaysWhichPackagesToInstall() throws Exception {
        fakeJdk("25.0.3");
        var environment = Map.of("TOWTANK_JAVA_HOME", temp.toString(), "PATH", fewCommands());

        var result = run(environment, LAUNCHER, "up");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output()).contains("kubernetes-client", "TOWTANK_WITHOUT_PACKAGES=1");
    }

    /// Neither is help.
    @Test
    void nothingIsInstalledForWhatCannotBeDone() throws Exception {
        var home = Files.createDirectory(temp.resolve("home"));
        var launcher = fakeInstallation(home).toString();
        executable(home.resolve("java/bin/java"), """
                #!/bin/sh
                case "$*" in *'Main parse run --resum x') exit 2 ;; *'Main parse'*) exit 0 ;; esac
                echo started
                """);
        var environment = Map.of("PATH", fewCommands());

        assertThat(run(environment, launcher, "run", "--resum", "x")).isEqualTo(new Result(0, "started\n"));
        assertThat(run(environment, launcher, "run", "x").output())
                .contains("bubblewrap", "TOWTANK_WITHOUT_PACKAGES=1");
    }

    @Test
    void programsOfAdministratorsAreThereWhateverThePathSays() throws Exception {
        var script = "name=towtank; . " + Checkout.ROOT.resolve("packaging/launch.bash")
                + "; need_packages chroot:coreutils";

        assertThat(run(Map.of("PATH", "/usr/bin:/bin"), "/bin/bash", "-c", script))
                .isEqualTo(new Result(0, ""));
    }

    private String fewCommands() throws IOException {
        var commands = Files.createDirectory(temp.resolve("commands"));
        for (var command : List.of("bash", "dirname", "readlink", "uname")) {
            executable(commands.resolve(command), "#!/bin/sh\nexec " + find(command) + " \"$@\"\n");
        }
        return commands.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [ERROR] Could not create local repository -> [Help 1]\\n[ERROR] Re-run Maven | [ERROR] Could not create local repository
            [ERROR] /A.java:[1,2] no\\n[ERROR] Failed to execute goal -> [Help 1]        | [ERROR] /A.java:[1,2] no
            JAVA_HOME is odd                                                            | JAVA_HOME is odd
            """)
    void aBuildThatFailsSaysWhy(String log, String why) throws Exception {
        fakeJdk("25.0.3");
        var checkout = Files.createDirectories(temp.resolve("checkout"));
        Files.createDirectory(checkout.resolve("packaging"));
        for (var file : List.of("towtank", "packaging/launch.bash")) {
            Files.copy(Checkout.ROOT.resolve(file), checkout.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        executable(checkout.resolve("mvnw"), "#!/bin/sh\nprintf '" + log + "\\n'\nexit 1\n");

        var result = run(
                Map.of("TOWTANK_JAVA_HOME", temp.toString()),
                checkout.resolve("towtank").toString(),
                "version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output())
                .isEqualTo("Building Towtank (the first time this also fetches its libraries)\n" + why
                        + "\ntowtank: the build failed. Its whole log is "
                        + checkout.resolve("app/target/build.log") + "\n");
    }

    /// Each of the options that name a place is one argument of Java, wherever that is.
    @ParameterizedTest
    @ValueSource(strings = {"checkout", "installation"})
    void itsDirectoryMayHaveSpaces(String kind) throws Exception {
        var home = Files.createDirectories(temp.resolve("with a space/$(and) more"));
        var launcher = kind.equals("checkout") ? fakeCheckout(home) : fakeInstallation(home);
        var ship = kind.equals("checkout") ? home.resolve("app/target/towtank") : home;
        var library = Files.createDirectories(ship.resolve("native/org/sqlite/native/Linux/" + machine()));
        Files.createDirectories(ship.resolve("lib"));
        Files.createFile(ship.resolve("lib/towtank-app.jar"));
        Files.createFile(ship.resolve("tools.aot"));
        var java = Map.of("TOWTANK_JAVA_HOME", temp.toString(), "TOWTANK_JAVA_OPTS", "-Xmx1g -Xss2m");

        var result = run(java, launcher.toString(), "get", "two words");

        assertThat(result.output().lines())
                .contains(
                        "-Dorg.sqlite.lib.path=" + library,
                        "-XX:AOTCache=" + ship.resolve("tools.aot"),
                        "-Xmx1g",
                        "-Xss2m")
                .endsWith("-cp", ship.resolve("lib/towtank-app.jar") + ":", "dev.towtank.app.Main", "get", "two words");
    }

    @ParameterizedTest
    @ValueSource(strings = {"towtank", "bin/towtank"})
    void anExampleCallsTheProgramThatItCameWith(String program) throws Exception {
        var home = temp.toRealPath().resolve("home");
        var example = Files.createDirectories(home.resolve("examples/gitops"));
        for (var file : List.of("deploy", "application.yaml", "prepare.yaml")) {
            copy("examples/gitops/" + file, example.resolve(file));
        }
        Files.createDirectory(example.resolve("platform"));
        var called = home.resolve(program);
        Files.createDirectories(called.getParent());
        executable(called, "#!/bin/sh\necho \"$0 $1 $2\"\n");
        var environment = Map.of("XDG_STATE_HOME", temp.resolve("state").toString());

        assertThat(run(environment, example.resolve("deploy").toString(), "plan"))
                .isEqualTo(new Result(0, called + " app plan\n"));
    }

    private Path fakeCheckout(Path home) throws IOException {
        fakeJdk("25.0.3");
        executable(temp.resolve("bin/java"), SAYS_ARGUMENTS);
        Files.createDirectories(home.resolve("packaging"));
        Files.createDirectories(home.resolve("app/target/towtank"));
        Files.createFile(home.resolve("app/target/towtank/built"));
        copy("packaging/launch.bash", home.resolve("packaging/launch.bash"));
        return copy("towtank", home.resolve("towtank"));
    }

    private static Path fakeInstallation(Path home) throws IOException {
        for (var folder : List.of("bin", "lib", "java/bin")) {
            Files.createDirectories(home.resolve(folder));
        }
        executable(home.resolve("java/bin/java"), SAYS_ARGUMENTS);
        copy("packaging/launch.bash", home.resolve("lib/launch.bash"));
        return copy("packaging/towtank", home.resolve("bin/towtank"));
    }

    private static Path copy(String file, Path to) throws IOException {
        return Files.copy(Checkout.ROOT.resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static String machine() throws Exception {
        return run(Map.of(), "uname", "-m").output().strip();
    }

    @ParameterizedTest
    @CsvSource({"C, C.UTF-8", "'', C.UTF-8", "not_INSTALLED.UTF-8, C.UTF-8", "C.utf8, C.utf8"})
    void javaReadsNamesOfFilesAsUtf8(String given, String expected) throws Exception {
        var environment = Map.of(
                "TOWTANK_JAVA_HOME", System.getProperty("java.home"), "LC_ALL", given, "LC_CTYPE", "", "LANG", "");
        var script = "trap 'printf \"in %s\" \"$LC_ALL\"' EXIT; set -- java-options; . " + LAUNCHER;

        assertThat(run(environment, "bash", "-c", script).output()).endsWith("in " + expected);
    }

    private void fakeJdk(String version) throws IOException {
        Files.writeString(temp.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        executable(Files.createDirectories(temp.resolve("bin")).resolve("javac"), "");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static Path find(String command) {
        for (var folder : System.getenv("PATH").split(":", -1)) {
            var found = Path.of(folder, command);
            if (Files.isExecutable(found)) {
                return found;
            }
        }
        throw new AssertionError(command + " is not installed");
    }

    private record Result(int code, String output) {}

    private static Result run(Map<String, String> environment, String... command) throws Exception {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
