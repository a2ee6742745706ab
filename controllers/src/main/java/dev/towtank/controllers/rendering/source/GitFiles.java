package dev.towtank.controllers.rendering.source;

import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/// All regular files of a repository at one revision, by git's own protocol and without its history.
public final class GitFiles {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MOST_FILES = 20_000;
    private static final long MOST_BYTES = 100L << 20;

    private final InstantSource clock;

    public GitFiles(InstantSource clock) {
        this.clock = clock;
    }

    /// @param revision a branch, a tag or a whole commit; empty for what the repository shows by itself
    /// @throws IOException for people, without names and passwords
    public Map<String, byte[]> read(String repository, String revision) throws IOException {
        var wanted =
                new GitFetch.Wanted(repository, repository, revision.isEmpty() ? "HEAD" : revision, Map.of(), LIMIT);
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
