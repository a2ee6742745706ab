package dev.towtank.app.run.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportTest {
    @TempDir
    Path temp;

    private RunHistory history = new RunHistory(Path.of(""));

    @BeforeEach
    void begin() {
        history = RunHistory.of(Map.of("XDG_STATE_HOME", temp.toString()));
    }

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private RunDirectory finished(String name) throws IOException {
        var directory = history.begin(name);
        Files.createDirectories(directory.logs().resolve(name + "-task"));
        Files.writeString(directory.logs().resolve(name + "-task").resolve("step.log"), "hello\n");
        directory.write(new RunRecord(
                directory.id(),
                Json.Obj.of("state", Json.of("failed")),
                Resource.of(object("{apiVersion: tekton.dev/v1, kind: PipelineRun, metadata: {name: " + name + "}}")),
                List.of(
                        Resource.of(object("{kind: TaskRun, metadata: {name: a}}")),
                        Resource.of(object("{kind: TaskRun}"))),
                List.of(
                        object("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: b}}"),
                        object("{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: geheim}}")),
                List.of(new WorkspaceVolume("w", "claim", "default", Optional.of(temp), true, false))));
        return directory;
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        var record = finished("one").read();

        assertThat(record.id()).isEqualTo("one");
        assertThat(record.run().name()).isEqualTo("one");
        assertThat(record.children()).hasSize(2);
        assertThat(record.objects()).hasSize(2);
        assertThat(record.volumes())
                .containsExactly(new WorkspaceVolume("w", "claim", "default", Optional.of(temp), true, false));
    }

    @Test
    void aDirectoryThatIsNotThereIsTold() throws IOException {
        var run = finished("one");
        var target = temp.resolve("nodir/one.zip");

        assertThatThrownBy(() -> Export.write(run, target))
                .hasMessage("Cannot write " + target + ": there is no directory " + temp.resolve("nodir")
                        + ". Make it first, or choose another with -o.");
    }

    @Test
    void aTextIsNoExport() throws IOException {
        var file = Files.writeString(temp.resolve("bad.zip"), "just a text");

        assertThatThrownBy(() -> Export.read(file, temp.resolve("unpacked")))
                .hasMessage(
                        file + " is no export of a run: it is neither a zip nor a tar.gz file. 'towtank export RUN -o"
                                + " FILE.zip' writes one.");
    }

    @Test
    void anArchiveHasAllButSecrets() throws IOException {
        var file = temp.resolve("one.tar.gz");
        Export.write(finished("one"), file);

        var unpacked = Export.read(file, Files.createDirectory(temp.resolve("unpacked")));

        assertThat(unpacked.read().run().name()).isEqualTo("one");
        assertThat(unpacked.logs().resolve("one-task").resolve("step.log")).hasContent("hello");
        assertThat(unpacked.path().resolve("objects.yaml"))
                .content()
                .contains("towtank.dev/values-left-out", "a: b")
                .doesNotContain("geheim");
    }

    @Test
    void anArchiveIsReadableByTar() throws Exception {
        var name = "n".repeat(60);
        var file = temp.resolve("long.tgz");
        Export.write(finished(name), file);

        var tar = new ProcessBuilder("tar", "tzf", file.toString()).start();

        assertThat(new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .contains(name + "/logs/" + name + "-task/step.log", name + "/summary.json");
        assertThat(tar.waitFor()).isZero();
    }

    @Test
    void aZipHasTheSame() throws IOException {
        var file = temp.resolve("one.zip");
        Export.write(finished("one"), file);

        var unpacked = Export.read(file, Files.createDirectory(temp.resolve("unpacked")));

        assertThat(unpacked.read().run().name()).isEqualTo("one");
        assertThat(unpacked.logs().resolve("one-task").resolve("step.log")).hasContent("hello");
        assertThat(unpacked.path().resolve("objects.yaml")).content().doesNotContain("geheim");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x/../../escaped", "/escaped", "alone", "../x/escaped"})
    void aZipWritesNothingOutside(String name) throws IOException {
        var file = temp.resolve("evil.zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write('x');
        }
        var target = Files.createDirectory(temp.resolve("unpacked"));

        assertThatThrownBy(() -> Export.read(file, target)).isInstanceOf(BadInput.class);
        assertThat(temp.resolve("escaped")).doesNotExist();
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void aDirectoryHasTheSame() throws IOException {
        var target = temp.resolve("exported");
        Export.write(finished("one"), target);

        assertThat(new RunDirectory(target).read().run().name()).isEqualTo("one");
        assertThatThrownBy(() -> Export.write(history.find("one"), target))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("exists already");
    }

    @Test
    void whatIsNoArchiveIsRefused() throws IOException {
        var file = Files.writeString(temp.resolve("x.tar.gz"), "nonsense");

        assertThatThrownBy(() -> Export.read(file, temp))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file + " is no export of a run");
    }

    @Test
    void runsOfOneNameAreNumbered() throws IOException {
        assertThat(List.of(finished("one").id(), finished("one").id())).containsExactly("one", "one-2");
        assertThat(history.find("one-2").read().run().name()).isEqualTo("one");
    }

    @Test
    void theNewestIsTheLastAndOldOnesGo() throws IOException {
        for (int i = 0; i < 25; i++) {
            var run = finished("run-" + i);
            Files.setLastModifiedTime(run.summary(), FileTime.from(Instant.EPOCH.plusSeconds(i)));
        }
        var unfinished = history.begin("unfinished");

        history.prune();

        assertThat(history.all())
                .hasSize(20)
                .first()
                .extracting(RunDirectory::id)
                .isEqualTo("run-24");
        assertThat(history.find("last").id()).isEqualTo("run-24");
        assertThat(unfinished.path()).isDirectory();
        assertThatThrownBy(() -> history.find("run-0"))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith("There is no run run-0. Remembered are: run-24, run-23");
    }

    @Test
    void withoutAnyRunThatIsSaid() {
        assertThatThrownBy(() -> history.find("last")).hasMessage("There is no run last. No run is remembered yet.");
    }
}
