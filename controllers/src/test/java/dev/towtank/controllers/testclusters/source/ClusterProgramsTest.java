package dev.towtank.controllers.testclusters.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.testclusters.programs.ProgramDeed;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs that behave as kind and k3d do, as far as anybody sees.
class ClusterProgramsTest {

    private static final String KIND = """
            #!/bin/sh
            echo "$*" >> calls
            case "$1 $2" in
            "get kubeconfig") cat "made-$4" 2> err || { echo "ERROR: no nodes found for cluster $4" >&2; exit 1; } ;;
            "create cluster") test "$4" != broken || { echo "ERROR: failed to create cluster" >&2; exit 1; }
                echo "kind: Config" > "made-$4" ;;
            "delete cluster") test "$4" != stuck && rm -f "made-$4" ;;
            esac
            """;

    @TempDir
    Path folder;

    private ClusterPrograms programs;

    @BeforeEach
    void install() throws IOException {
        programs = new ClusterPrograms("/nowhere:" + folder);
        install("kind", KIND);
        install("k3d", KIND.replace("\"$1 $2\"", "\"$2 $1\"").replace("$4", "$3"));
    }

    private void install(String name, String script) throws IOException {
        var file = folder.resolve(name);
        Files.writeString(file, script.replaceFirst("\n", "\ncd " + folder + "\n"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Json.Obj done(ProgramDeed deed) throws Exception {
        return (Json.Obj) programs.done(deed);
    }

    @Test
    void kindMakesAClusterOnceAndTakesItAway() throws Exception {
        var make = new ProgramDeed.Make("kind", "one");
        assertThat(done(make).string("kubeconfig")).isEqualTo("kind: Config\n");
        assertThat(done(make).string("kubeconfig")).isEqualTo("kind: Config\n");
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .filteredOn(line -> line.startsWith("create"))
                .containsExactly("create cluster --name one --wait 5m");
        assertThat(done(new ProgramDeed.Remove("kind", "one")).size()).isZero();
        assertThat(folder.resolve("made-one")).doesNotExist();
    }

    @Test
    void soDoesK3d() throws Exception {
        assertThat(done(new ProgramDeed.Make("k3d", "one")).string("kubeconfig"))
                .isEqualTo("kind: Config\n");
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .contains("cluster create one --wait --kubeconfig-update-default=false"
                        + " --kubeconfig-switch-context=false");
        assertThat(done(new ProgramDeed.Remove("k3d", "one")).size()).isZero();
    }

    @Test
    void aFailureHasTheWordsOfTheProgram() throws Exception {
        var failed = done(new ProgramDeed.Make("kind", "broken"));
        assertThat(failed.string("error")).isEqualTo("kind ended with 1");
        assertThat(failed.string("log")).contains("ERROR: failed to create cluster");
        assertThat(done(new ProgramDeed.Remove("kind", "stuck")).string("error"))
                .contains("kind could not delete the cluster stuck");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() throws Exception {
        var none = (Json.Obj) new ClusterPrograms("/nowhere").done(new ProgramDeed.Make("kind", "one"));
        assertThat(none.string("error"))
                .isEqualTo("there is no program kind on the PATH of the server:"
                        + " install it, or use a template of another provider");
    }
}
