package dev.towtank.node.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The program that plays Tekton's git-init, as the catalog's git-clone calls it, with this machine's git.
@Timeout(120)
class GitInitTest {

    @TempDir
    Path directory;

    private record Ended(int code, String output) {}

    @BeforeEach
    void makeARepository() throws Exception {
        git("init", "--quiet", "--initial-branch=main", "origin");
        commit("a/file", "one");
        commit("b/file", "two");
        git("-C", "origin", "tag", "v1");
        git("-C", "origin", "checkout", "--quiet", "-b", "side");
        commit("a/file", "three");
        git("-C", "origin", "checkout", "--quiet", "main");
    }

    private void commit(String file, String content) throws Exception {
        var place = directory.resolve("origin").resolve(file);
        Files.createDirectories(place.getParent());
        Files.writeString(place, content);
        git("-C", "origin", "add", ".");
        git("-C", "origin", "-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "--quiet", "-m", content);
    }

    private String git(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        var ended = run(command);
        assertThat(ended.code).as(ended.output).isZero();
        return ended.output.strip();
    }

    private Ended gitInit(String... arguments) throws Exception {
        var program = OwnPrograms.placed("towtank-git-init", directory, _ -> Optional.empty())
                .orElseThrow();
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private Ended run(List<String> command) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        // What this machine's user has set must not count.
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("HOME", directory.toString());
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private String url() {
        return "-url=file://" + directory.resolve("origin");
    }

    /// A block of YAML ends with a line.
    @Test
    void takesAnAddressWithoutTheSpaceAroundIt() throws Exception {
        var ended = gitInit("-url= \tfile://" + directory.resolve("origin") + "\n", "-path=clone");

        assertThat(ended.code).as(ended.output).isZero();
        assertThat(file("a/file")).isEqualTo("one");
    }

    private String file(String name) throws IOException {
        return Files.readString(directory.resolve("clone").resolve(name));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                             | one
            -revision=main                                                 | one
            --revision=v1                                                  | one
            -revision=side                                                 | three
            -refspec=refs/heads/side:refs/heads/side -revision=side        | three
            -revision side -sslVerify=true -submodules=true                | three
            """)
    void checksOutWhatIsAskedFor(String asked, String content) throws Exception {
        var arguments = new ArrayList<>(List.of(url(), "-path=clone"));
        arguments.addAll(asked.isEmpty() ? List.of() : List.of(asked.split(" ")));

        var ended = gitInit(arguments.toArray(String[]::new));

        assertThat(ended.code).as(ended.output).isZero();
        assertThat(file("a/file")).isEqualTo(content);
        assertThat(file("b/file")).isEqualTo("two");
    }

    @Test
    void checksOutACommit() throws Exception {
        var commit = git("-C", "origin", "rev-parse", "side");

        assertThat(gitInit(url(), "-path=clone", "-revision=" + commit).code).isZero();

        assertThat(git("-C", "clone", "rev-parse", "HEAD")).isEqualTo(commit);
    }

    @ParameterizedTest
    @CsvSource({"-depth=1, 1", "-depth=0, 2", "-depth=2, 2"})
    void fetchesAsMuchAsIsAskedFor(String depth, String commits) throws Exception {
        assertThat(gitInit(url(), "-path=clone", depth).code).isZero();

        assertThat(git("-C", "clone", "rev-list", "--count", "HEAD")).isEqualTo(commits);
    }

    @Test
    void checksOutOnlyTheDirectoriesThatAreAskedFor() throws Exception {
        assertThat(gitInit(url(), "-path=clone", "-sparseCheckoutDirectories=b").code)
                .isZero();

        assertThat(directory.resolve("clone/b/file")).exists();
        assertThat(directory.resolve("clone/a")).doesNotExist();
    }

    @Test
    void fetchesAgainWhereSomethingIsAlready() throws Exception {
        gitInit(url(), "-path=clone");

        assertThat(gitInit(url(), "-path=clone", "-revision=side").code).isZero();
        assertThat(file("a/file")).isEqualTo("three");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -path=clone                      | no -url is given
            -url=--upload-pack=x             | must not begin with a dash
            URL -revision=--exec=x           | must not begin with a dash: --exec=x
            URL -revision=none               | failed to fetch [none]
            URL -depth=x                     | -depth must be a number: x
            URL -nonsense=x                  | flag provided but not defined: -nonsense
            URL more                         | unexpected argument: more
            URL -revision                    | flag needs an argument: -revision
            """)
    void refusesWhatItCannotDo(String arguments, String why) throws Exception {
        var ended = gitInit(arguments.replace("URL", url()).split(" "));

        assertThat(ended.code).isEqualTo(1);
        assertThat(ended.output).contains("git-init: " + why);
    }
}
