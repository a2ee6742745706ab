package dev.towtank.controllers.pipelines.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.cluster.Ground;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.git.source.SshCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Beyond clones over HTTP, which [ResolversTest] has.
class GitResolverTest {

    private static final String TASK = "kind: Task\n";

    private final GitResolver resolver = new GitResolver(InstantSource.system());

    private Resolver.Question question(Map<String, String> params, Map<String, String> more) {
        var settings = new LinkedHashMap<>(resolver.installed().settings());
        settings.putAll(more);
        return Questions.of(params, settings, Rewrites.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    url=https://x/y,repo=z           | cannot specify both 'url' and 'repo'
                    repo=z                           | 'org' is required when 'repo' is specified
                    url=https://x/y                  | missing required git resolver params: pathInRepo
                    url=https://x/y,pathInRepo=a,revision=--upload-pack=x \
                    | invalid revision "--upload-pack=x": must not begin with '-'
                    url=/etc,pathInRepo=a            | invalid git repository url: /etc
                    url=https://x/y,pathInRepo=../a  | invalid path "../a": must not contain '..' components
                    configKey=other,pathInRepo=a     | no git resolver configuration found for configKey other
                    """)
    void refusesWhatMakesNoSense(String params, String message) {
        var all = new LinkedHashMap<String, String>();
        for (var param : params.split(",", -1)) {
            all.put(param.split("=", 2)[0], param.split("=", 2)[1]);
        }

        assertThatThrownBy(() -> resolver.resolve(question(all, Map.of())))
                .hasMessage(message)
                .extracting(problem -> ((Resolver.Problem) problem).kind())
                .isEqualTo(Resolver.Problem.Kind.INVALID);
    }

    @Test
    void neverShowsWhatWasInAnAddress() {
        var params = Map.of("url", "https://me:s3cret@nowhere.invalid/x", "pathInRepo", "a", "revision", "main");

        assertThatThrownBy(() -> resolver.resolve(question(params, Map.of())))
                .hasMessage("git fetch error: cannot reach nowhere.invalid: no such host");
    }

    private static Path repository(Path directory) throws Exception {
        var repository = directory.resolve("work");
        try (var git = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            Files.writeString(repository.resolve("a.yaml"), TASK);
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("m")
                    .setSign(false)
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .call();
        }
        return repository;
    }

    private static Map<String, String> overSsh(Path repository, String secret) {
        return Map.of(
                "url",
                "ssh://me@git.example.com:2222" + repository,
                "pathInRepo",
                "a.yaml",
                "gitToken",
                secret,
                "revision",
                "main");
    }

    @Test
    void goesOverSshWithTheKeyOfASecretAndNoneOfItsOwn(@TempDir Path directory) throws Exception {
        var ssh = script(directory.resolve("ssh"), """
                #!/bin/sh
                echo "$@" >> %1$s/said
                for word; do case $word in IdentityFile=*) cat "${word#*=}" > %1$s/key;; esac; last=$word; done
                exec sh -c "$last"
                """.formatted(directory));
        var over = new GitResolver(InstantSource.system(), new SshCommand(ssh.toString()));

        assertThat(over.resolve(question(overSsh(repository(directory), "key"), Map.of()))
                        .text())
                .isEqualTo(TASK);

        assertThat(Files.readString(directory.resolve("said")))
                .contains("-F none -o BatchMode=yes -o IdentitiesOnly=yes -o IdentityAgent=none")
                .contains("-o StrictHostKeyChecking=yes -p 2222 -l me -- git.example.com git-upload-pack")
                .doesNotContain("PRIVATE");
        assertThat(Files.readString(directory.resolve("key"))).isEqualTo("PRIVATE\n");
        var key =
                Path.of(Files.readString(directory.resolve("said")).replaceFirst("(?s).*?IdentityFile=(\\S+).*", "$1"));
        assertThat(key).doesNotExist();
    }

    /// With a program in its place that takes a host once, as `accept-new` does, and is another the next time.
    @Test
    void aHostThatNoSecretKnowsHasToBeTheOneItWasAtFirst(@TempDir Path directory) throws Exception {
        var ssh = script(directory.resolve("ssh"), """
                #!/bin/sh
                for word; do
                    case $word in UserKnownHostsFile=*) eval "file=${word#*=}";; esac
                    last=$word
                done
                if [ -e %1$s/another ] && grep -q met "$file"; then echo "Host key verification failed." >&2; exit 255; fi
                echo met >> "$file"
                exec sh -c "$last"
                """.formatted(directory));
        var ground = Ground.of(new FakeTimers()).in(directory.resolve("features"));
        var known = SshCommand.of(ground).remembered().orElseThrow();
        var over = new GitResolver(InstantSource.system(), new SshCommand(ssh.toString()).remembering(known));
        var question = question(overSsh(repository(directory), "key-alone"), Map.of());

        assertThat(over.resolve(question).text()).isEqualTo(TASK);
        assertThat(known).content().startsWith("met");
        assertThat(Files.getPosixFilePermissions(directory.resolve("features/git")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));

        Files.createFile(directory.resolve("another"));
        assertThatThrownBy(() -> over.resolve(question)).hasMessageContaining("Host key verification failed.");
    }

    private static Path script(Path file, String text) throws Exception {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void takesNoOptionForAHost() {
        var params = Map.of("url", "ssh://-oProxyCommand=x/y", "pathInRepo", "a.yaml", "revision", "main");

        assertThatThrownBy(() -> resolver.resolve(question(params, Map.of()))).hasMessageContaining("git fetch error");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    github | /api/v3/repos/o/r | /contents/dir/a.yaml?ref=main | /commits/main     | Bearer pass
                    gitea  | /api/v1/repos/o/r | /contents/dir/a.yaml?ref=main | /git/commits/main | token pass
                    """)
    void asksAServerForTheFileAlone(String type, String repository, String file, String commit, String who)
            throws Exception {
        try (var server = new FakeServer()) {
            server.with(repository + file, "{\"content\": \"a2luZDog\\nVGFzawo=\", \"path\": \"dir/a.yaml\"}")
                    .with(repository + commit, "{\"sha\": \"abc\"}")
                    .with(repository, "{\"clone_url\": \"https://host/o/r.git\"}");

            var answer = resolver.resolve(question(scm(server, type), Map.of()));

            assertThat(answer.text()).isEqualTo(TASK);
            assertThat(answer.source().string("uri")).isEqualTo("git+https://host/o/r.git");
            assertThat(answer.source().string("digest", "sha1")).isEqualTo("abc");
            assertThat(answer.source().string("entryPoint")).isEqualTo("dir/a.yaml");
            assertThat(server.requests).allMatch(request -> request.endsWith(" as " + who));
        }
    }

    private static Map<String, String> scm(FakeServer server, String type) {
        return Map.of(
                "org",
                "o",
                "repo",
                "r",
                "revision",
                "main",
                "pathInRepo",
                "/dir/a.yaml",
                "scmType",
                type,
                "serverURL",
                server.url(),
                "token",
                "s");
    }

    @Test
    void asksAGitLab() throws Exception {
        var project = "/api/v4/projects/o%2Fr";
        try (var server = new FakeServer()
                .with(
                        project + "/repository/files/dir%2Fa.yaml?ref=main",
                        "{\"content\": \"a2luZDogVGFzawo=\", \"file_path\": \"dir/a.yaml\"}")
                .with(project + "/repository/commits/main", "{\"id\": \"abc\"}")
                .with(project, "{\"http_url_to_repo\": \"https://host/o/r.git\"}")) {

            assertThat(resolver.resolve(question(scm(server, "gitlab"), Map.of()))
                            .text())
                    .isEqualTo(TASK);
            assertThat(server.requests).allMatch(request -> request.endsWith(" as pass"));
        }
    }

    @Test
    void keepsTheTokenOfTheAdministratorFromOtherServers() throws Exception {
        try (var server = new FakeServer()) {
            var params = new LinkedHashMap<>(scm(server, "gitea"));
            params.remove("token");
            var settings = Map.of("api-token-secret-name", "s", "api-token-secret-key", "k");

            assertThatThrownBy(() -> resolver.resolve(question(params, settings)))
                    .hasMessage("custom serverURL \"" + server.url() + "\" requires a token parameter; the system token"
                            + " cannot be sent to a non-default server URL");
            assertThat(server.requests).isEmpty();
            params.remove("serverURL");
            assertThatThrownBy(() -> resolver.resolve(question(params, Map.of())))
                    .hasMessage("cannot get API token, required when specifying 'repo' param, 'api-token-secret-name'"
                            + " not specified in config");
        }
    }
}
