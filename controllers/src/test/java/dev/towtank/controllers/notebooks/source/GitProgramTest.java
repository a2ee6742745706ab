package dev.towtank.controllers.notebooks.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Secrets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories over ssh, with a program in its place that notes down how it is called.
class GitProgramTest {

    @TempDir
    Path files;

    private final FakeCluster cluster = new FakeCluster(InstantSource.system());
    private final Map<String, byte[]> written = new TreeMap<>();

    @BeforeEach
    void makeRepository() throws Exception {
        var repository = files.resolve("r");
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            Files.writeString(repository.resolve("n.ipynb"), "{}");
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("m")
                    .setSign(false)
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .call();
        }
        // It does what ssh would do on the other side, or refuses as ssh does.
        var ssh = Files.writeString(files.resolve("ssh"), """
                #!/bin/sh
                echo "$@" >> %1$s/said
                if [ -e %1$s/refuses ]; then echo "Host key verification failed." >&2; exit 255; fi
                for word; do
                    case $word in
                        IdentityFile=*) cat "${word#*=}" > %1$s/key;;
                        UserKnownHostsFile=*) eval "file=${word#*=}"; cat "$file" > %1$s/known; echo met >> "$file";;
                    esac
                    last=$word
                done
                exec sh -c "$last"
                """.formatted(files));
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
    }

    private void secret(String name, String data) {
        var secret = Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: v1
                kind: Secret
                metadata: {name: %s, namespace: team}
                data: {%s}
                """.formatted(name, data)));
        cluster.create(Secrets.KIND, secret, Cluster.WriteOptions.DEFAULT);
    }

    private int fetch(String secret) throws Exception {
        return fetch(secret, RunOrder.CLONE_CONTAINER);
    }

    private int fetch(String secret, String container) throws Exception {
        written.clear();
        var order = new RunOrder(
                RunOrder.REPOSITORY + "/n.ipynb",
                Optional.empty(),
                Optional.of(
                        new RunOrder.Checkout("ssh://git@git.example.com:2222" + files.resolve("r"), "main", secret)),
                Optional.empty(),
                Duration.ofMinutes(1),
                Json.Obj.EMPTY,
                Json.Obj.EMPTY);
        var pod = Resource.of((Json.Obj) YamlText.parse("""
                apiVersion: v1
                kind: Pod
                metadata: {name: n-validation, namespace: team, uid: a1}
                """));
        var place = Files.createDirectories(files.resolve("kept"));
        var program = new GitProgram(
                cluster,
                new RunReports(() -> place),
                Meters.NONE,
                new SshCommand(files.resolve("ssh").toString()).remembering(place.resolve("known_hosts")));
        return program.run(new Container(
                pod.with(pod.json()
                        .with(List.of("metadata", "annotations", RunOrder.ANNOTATION), Json.of(order.text()))),
                container,
                written));
    }

    /// NVJ-2, NVJ-3; of the defects: hosts that nobody checks.
    @Test
    void aHostIsTheOneThatTheSecretKnowsOrThatWasMetBefore() throws Exception {
        secret("told", "ssh-privatekey: UFJJVkFURQ==, known_hosts: aG9zdHM="); // PRIVATE, hosts
        secret("untold", "ssh-privatekey: UFJJVkFURQ==");

        assertThat(fetch("told")).isZero();
        assertThat(written).containsKey(RunOrder.REPOSITORY + "/n.ipynb");
        assertThat(files.resolve("key")).hasContent("PRIVATE");
        assertThat(files.resolve("known")).content().startsWith("hosts");
        assertThat(Files.readString(files.resolve("said")))
                .contains("-o StrictHostKeyChecking=yes -p 2222 -l git -- git.example.com")
                .doesNotContain("accept-new", "PRIVATE");

        Files.delete(files.resolve("said"));
        Files.createFile(files.resolve("kept/known_hosts"));
        assertThat(fetch("untold")).isZero();
        assertThat(fetch("untold")).isZero();
        assertThat(Files.readString(files.resolve("said"))).contains("-o StrictHostKeyChecking=accept-new");
        assertThat(files.resolve("known"))
                .content()
                .as("what was met is remembered")
                .startsWith("met\n");
    }

    /// Who is not the host of last time is not asked again a minute later.
    @Test
    void aHostThatIsAnotherIsRefusedAndNotTriedAgain() throws Exception {
        secret("untold", "ssh-privatekey: UFJJVkFURQ==");
        Files.createFile(files.resolve("refuses"));

        assertThat(fetch("untold")).isEqualTo(1);

        assertThat(new String(written.getOrDefault("/dev/termination-log", new byte[0]), StandardCharsets.UTF_8))
                .startsWith("Cannot fetch ssh://git.example.com:2222")
                .contains("Host key verification failed.");
    }

    /// NVJ-14: steps wait for a word, and see no exit code.
    @Test
    void leavesWordForTheStepsOfATask() throws Exception {
        secret("untold", "ssh-privatekey: UFJJVkFURQ==");

        assertThat(fetch("untold", "sidecar-git-clone")).isZero();
        assertThat(word("commit")).matches("[0-9a-f]{40}");
        assertThat(written).doesNotContainKey(RunOrder.WORD + "/problem");
        assertThat(files.resolve("kept/runs")).as("what is kept of runs").doesNotExist();

        Files.createFile(files.resolve("refuses"));
        assertThat(fetch("untold", "sidecar-git-clone")).isZero();
        assertThat(word("problem")).contains("Host key verification failed.");
        assertThat(written).doesNotContainKey(RunOrder.WORD + "/commit");
    }

    private String word(String file) {
        return new String(written.getOrDefault(RunOrder.WORD + "/" + file, new byte[0]), StandardCharsets.UTF_8);
    }

    private record Container(Resource pod, String name, Map<String, byte[]> written) implements RunningContainer {

        @Override
        public List<String> command() {
            return List.of(RunOrder.CLONE_COMMAND);
        }

        @Override
        public Map<String, String> environment() {
            return Map.of();
        }

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public Exit run(Command command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void await(BooleanSupplier condition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void log(String line) {
            // nobody reads it here
        }

        @Override
        public boolean exists(String path) {
            return written.containsKey(path);
        }

        @Override
        public List<String> list(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<byte[]> read(String path, int limit) {
            return Optional.ofNullable(written.get(path));
        }

        @Override
        public void write(String path, byte[] content, int mode) {
            written.put(path, content);
        }

        @Override
        public void makeDirectory(String path, int mode) {
            // files are enough
        }
    }
}
