package dev.towtank.controllers.gitops.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.git.source.GitRepositories;
import dev.towtank.controllers.git.source.StaticSite;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kustomizations with bases in other repositories.
class SourceReaderTest {

    @TempDir
    Path temp;

    private StaticSite site;
    private GitRepositories repositories;

    @BeforeEach
    void start() throws IOException {
        repository("base", "resources: [a.yaml]\n");
        site = new StaticSite(temp, null);
        repositories = new GitRepositories(InstantSource.system(), _ -> Optional.empty(), _ -> "");
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private void repository(String name, String kustomization) throws IOException {
        var folder = Files.createDirectories(temp.resolve(name));
        Files.writeString(folder.resolve("kustomization.yaml"), kustomization);
        Files.writeString(folder.resolve("a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        StaticSite.commit(folder);
    }

    private Manifests read(String repository) throws IOException {
        var commit = repositories.commit(repository, "main");
        var source = Json.Obj.of("repoURL", Json.of(repository), "path", Json.of("."));
        return new SourceReader(repositories, () -> null, _ -> "", InstantSource.system())
                .read(new SourceQuestion(source, "app", "ns", commit, Map.of()));
    }

    @Test
    void basesAreFetched() throws IOException {
        repository("app", "namePrefix: my-\nresources: ['" + site.address() + "/base/.git//?ref=main']\n");

        var made = read("file://" + temp.resolve("app"));
        assertThat(made.problem()).isEmpty();
        assertThat(made.objects().getFirst().string("metadata", "name")).isEqualTo("my-a");
    }

    @Test
    void oneOnThisMachineIsForSourcesOfThisMachine() throws IOException {
        repository("app", "resources: ['file://" + temp.resolve("base") + "']\n");

        assertThat(read("file://" + temp.resolve("app")).objects()).hasSize(1);
        assertThat(read(site.address() + "/app/.git").problem())
                .contains("a base on this machine is for sources on this machine alone");
    }

    @Test
    void oneThatDoesNotAnswerIsNamed() throws IOException {
        repository("app", "resources: ['http://me:geheim@127.0.0.1:1/o/r?ref=v1']\n");

        assertThat(read("file://" + temp.resolve("app")).problem())
                .contains("remote resource 'http://127.0.0.1:1/o/r?ref=v1' cannot be fetched")
                .doesNotContain("geheim");
    }
}
