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

/// The part of the program that runs before Java does.
class LauncherTest {
    private static final String LAUNCHER = Checkout.ROOT.resolve("towtank").toString();

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
        var commands = Files.createDirectory(temp.resolve("commands"));
        for (var command : List.of("bash", "dirname", "readlink")) {
            executable(commands.resolve(command), "#!/bin/sh\nexec " + find(command) + " \"$@\"\n");
        }
        var environment = Map.of("TOWTANK_JAVA_HOME", temp.toString(), "PATH", commands.toString());

        var result = run(environment, LAUNCHER, "up");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output()).contains("kubernetes-client", "TOWTANK_WITHOUT_PACKAGES=1");
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
