package dev.towtank.controllers.rendering.source;

import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/// All regular files of a repository at one revision, by git's own protocol and without its history.
public final class GitFiles implements GitBases.Repositories {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MOST_FILES = 20_000;
    private static final long MOST_BYTES = 100L << 20;

    private final InstantSource clock;
    private final String authorities;

    /// @param authorities certificates in PEM that count beside those of the machine; empty for none
    public GitFiles(InstantSource clock, String authorities) {
        this.clock = clock;
        this.authorities = authorities;
    }

    @Override
    public Map<String, byte[]> read(String repository, String revision) throws IOException {
        var login = authorities.isEmpty() ? Map.<String, String>of() : Map.of("ca.crt", authorities);
        var wanted = new GitFetch.Wanted(repository, repository, revision.isEmpty() ? "HEAD" : revision, login, LIMIT);
        try {
            return new GitFetch(wanted, clock).with(tree -> {
                var files = new TreeMap<String, byte[]>();
                tree.files(MOST_FILES, MOST_BYTES, (path, content, _) -> files.put(path, content));
                return files;
            });
        } catch (GitProblem e) {
            throw new IOException(e.text(), e);
        }
    }
}
