package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// A directory with `.tekton` on this machine, committed or not: what would run if it were pushed, without a forge.
public final class LocalCheckout {

    private static final int DEEPEST = 16;
    private static final int LARGEST_FILE = 1 << 20;

    private final Path directory;

    public LocalCheckout(Path directory) {
        this.directory = directory;
    }

    /// What is pretended to have happened.
    ///
    /// @param event push or pull_request
    /// @param branch that is pushed, or that a pull request is made from; empty for the one that is checked out
    /// @param base that a pull request is made for; empty for `main`
    public record Pretended(String event, String branch, String base) {}

    /// The newest commit; empty where there is none.
    public String head() throws IOException {
        try (var repository = open()) {
            var head = repository.flatMap(LocalCheckout::headOf);
            return head.orElse("");
        }
    }

    /// What runs, ready to be created; those that do not match are left out.
    ///
    /// @throws IllegalArgumentException something in `.tekton` is wrong
    public List<Json.Obj> resolve(Pretended pretended) throws IOException, InterruptedException {
        return new Pretending(event(pretended), files(), String.valueOf(directory.resolve(".tekton"))).runs(this::file);
    }

    /// A file below the directory, never through a link.
    private String file(String place) throws IOException {
        var file = directory.resolve(place).normalize();
        if (!file.startsWith(directory) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException("there is no file " + place + " in " + directory);
        }
        return Files.readString(file);
    }

    private Map<String, String> files() throws IOException {
        var files = new LinkedHashMap<String, String>();
        var root = directory.resolve(".tekton");
        if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        try (var paths = Files.walk(root, DEEPEST)) {
            for (var path : paths.sorted().toList()) {
                var name = path.getFileName().toString();
                if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        && (name.endsWith(".yaml") || name.endsWith(".yml"))
                        && Files.size(path) <= LARGEST_FILE
                        && files.size() < Forges.MOST_FILES) {
                    files.put(directory.relativize(path).toString(), Files.readString(path));
                }
            }
        }
        return files;
    }

    /// A repository, or a directory that is none.
    private record Opened(Optional<Repository> repository) implements AutoCloseable {

        <T> Optional<T> flatMap(Function<Repository, Optional<T>> what) {
            return repository.flatMap(what);
        }

        @Override
        public void close() {
            repository.ifPresent(Repository::close);
        }
    }

    private Opened open() throws IOException {
        var builder = new FileRepositoryBuilder().findGitDir(directory.toFile());
        return new Opened(builder.getGitDir() == null ? Optional.empty() : Optional.of(builder.build()));
    }

    private static Optional<String> headOf(Repository repository) {
        try {
            return Optional.ofNullable(repository.resolve("HEAD")).map(id -> id.name());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private GitEvent event(Pretended pretended) throws IOException {
        var event = GitEvent.of(GitEvent.Forge.LOCAL, Json.Obj.EMPTY, Map.of());
        event.target = pretended.event();
        event.type = pretended.event();
        event.sender = "local";
        event.url = "file://" + directory;
        event.name = String.valueOf(directory.getFileName());
        event.owner = "local";
        event.defaultBranch = "main";
        var branch = "main";
        try (var opened = open()) {
            if (opened.repository().isPresent()) {
                var repository = opened.repository().get();
                event.sha = headOf(repository).orElse("");
                branch = Optional.ofNullable(repository.getBranch()).orElse("main");
                var origin = repository.getConfig().getString("remote", "origin", "url");
                event.url = origin == null ? event.url : origin;
                event.shaTitle = title(repository);
                event.files = Optional.of(changed(repository, pretended));
            }
        }
        branch = pretended.branch().isEmpty() ? branch : pretended.branch();
        boolean isPush = pretended.event().equals(GitEvent.PUSH);
        event.head = isPush && !branch.startsWith("refs/") ? "refs/heads/" + branch : branch;
        event.base = isPush ? event.head : pretended.base().isEmpty() ? "main" : pretended.base();
        event.baseUrl = event.url;
        event.headUrl = event.url;
        if (!isPush) {
            event.pullRequest = Optional.of(0L);
            event.title = event.shaTitle;
        }
        return event.build();
    }

    private static String title(Repository repository) throws IOException {
        var head = repository.resolve("HEAD");
        if (head == null) {
            return "";
        }
        try (var walk = new RevWalk(repository)) {
            return walk.parseCommit(head).getShortMessage();
        }
    }

    /// Since the base of a pull request, or by the last commit; and what is not committed yet.
    private static ChangedFiles changed(Repository repository, Pretended pretended) throws IOException {
        var files = new ChangedFiles.Builder();
        var before = pretended.event().equals(GitEvent.PUSH)
                ? repository.resolve("HEAD~1^{tree}")
                : repository.resolve((pretended.base().isEmpty() ? "main" : pretended.base()) + "^{tree}");
        var after = repository.resolve("HEAD^{tree}");
        try (var git = new Git(repository);
                var reader = repository.newObjectReader()) {
            if (before != null && after != null) {
                var old = new CanonicalTreeParser(null, reader, before);
                var now = new CanonicalTreeParser(null, reader, after);
                for (var entry : git.diff()
                        .setOldTree(old)
                        .setNewTree(now)
                        .setShowNameAndStatusOnly(true)
                        .call()) {
                    switch (entry.getChangeType()) {
                        case ADD, COPY -> files.add("added", entry.getNewPath());
                        case MODIFY -> files.add("modified", entry.getNewPath());
                        case DELETE -> files.add("removed", entry.getOldPath());
                        case RENAME -> files.add("renamed", entry.getNewPath());
                    }
                }
            }
            var status = git.status().call();
            status.getUntracked().forEach(file -> files.add("added", file));
            status.getUncommittedChanges().forEach(file -> files.add("modified", file));
            return files.build();
        } catch (GitAPIException e) {
            throw new IOException("git cannot tell what has changed: " + e.getMessage(), e);
        }
    }
}
