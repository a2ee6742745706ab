package dev.towtank.controllers.pipelines.source;

import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/// Fetches a definition out of a git repository: of one branch or tag only its last commit.
public final class GitResolver implements Resolver {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("://[^/@\\s]+@");

    private final Map<String, String> rewrites;

    /// @param rewrites beginnings of URLs, and what takes their place: so a public address can be a local repository
    public GitResolver(Map<String, String> rewrites) {
        this.rewrites = Map.copyOf(rewrites);
    }

    @Override
    public Answer resolve(Question question) throws Problem, InterruptedException {
        var url = question.required("url");
        var path = question.required("pathInRepo");
        var revision = question.optional("revision").orElse("main");
        if (!url.startsWith("https://")
                && !url.startsWith("http://")
                && !url.startsWith("ssh://")
                && !url.startsWith("git@")) {
            throw new Problem("invalid git repository url: " + withoutCredentials(url));
        }
        var directory = temporary();
        try (var git = Git.init().setBare(true).setDirectory(directory.toFile()).call()) {
            // Nobody may still be tidying it up while it is thrown away.
            git.getRepository().getConfig().setBoolean("gc", null, "autoDetach", false);
            var commit = fetch(git, question, rewritten(url), revision);
            return new Answer(
                    read(git.getRepository(), commit, path),
                    Json.Obj.builder()
                            .put("uri", "git+" + withoutCredentials(url))
                            .put("digest", Json.Obj.of("sha1", Json.of(commit.name())))
                            .put("entryPoint", path)
                            .build());
        } catch (GitAPIException | JGitInternalException | IOException e) {
            throw new Problem("git fetch error: " + withoutCredentials(String.valueOf(e.getMessage())));
        } finally {
            delete(directory);
        }
    }

    private String rewritten(String url) {
        return rewrites.entrySet().stream()
                .filter(rewrite -> url.startsWith(rewrite.getKey()))
                .findFirst()
                .map(rewrite ->
                        rewrite.getValue() + url.substring(rewrite.getKey().length()))
                .orElse(url);
    }

    private static String withoutCredentials(String text) {
        return CREDENTIALS_IN_URL.matcher(text).replaceAll("://");
    }

    private static Path temporary() throws Problem {
        try {
            return Files.createTempDirectory("git-resolver");
        } catch (IOException e) {
            throw new Problem("no room for a clone: " + e.getMessage());
        }
    }

    private static ObjectId fetch(Git git, Question question, String url, String revision)
            throws Problem, GitAPIException, IOException {
        int seconds = (int) Math.max(1, question.limit().toSeconds());
        var credentials = credentials(question);
        var refs = Git.lsRemoteRepository()
                .setRemote(url)
                .setTimeout(seconds)
                .setCredentialsProvider(credentials.orElse(null))
                .callAsMap();
        var ref = Stream.of(revision, "refs/heads/" + revision, "refs/tags/" + revision)
                .map(refs::get)
                .flatMap(found -> Optional.<Ref>ofNullable(found).stream())
                .findFirst();
        if (ref.isEmpty() && !COMMIT.matcher(revision).matches()) {
            throw new Problem("revision error: reference not found: " + revision);
        }
        var fetch = git.fetch()
                .setRemote(url)
                .setTimeout(seconds)
                .setCredentialsProvider(credentials.orElse(null))
                .setRefSpecs(ref.map(found -> new RefSpec("+" + found.getName() + ":refs/heads/wanted"))
                        .orElseGet(() -> new RefSpec("+refs/heads/*:refs/heads/*")));
        if (ref.isPresent()) {
            fetch.setDepth(1);
        }
        fetch.call();
        var commit =
                git.getRepository().resolve(ref.isPresent() ? "refs/heads/wanted^{commit}" : revision + "^{commit}");
        if (commit == null) {
            throw new Problem("revision error: reference not found: " + revision);
        }
        return commit;
    }

    private static Optional<CredentialsProvider> credentials(Question question) throws Problem {
        var name = question.optional("gitToken");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        var key = question.optional("gitTokenKey").orElse("token");
        var token = question.secret().apply(name.get(), key);
        if (token.isEmpty()) {
            throw new Problem("cannot get API token, secret %s has no key %s".formatted(name.get(), key));
        }
        return Optional.of(new UsernamePasswordCredentialsProvider("git", token));
    }

    private static String read(Repository repository, ObjectId commit, String path) throws Problem, IOException {
        try (var walk = new RevWalk(repository)) {
            var tree = walk.parseCommit(commit).getTree();
            try (@Nullable TreeWalk found = TreeWalk.forPath(repository, path.replaceFirst("^/+", ""), tree)) {
                if (found == null) {
                    throw new Problem("error opening file \"%s\": file does not exist".formatted(path));
                }
                var file = repository.open(found.getObjectId(0));
                if (file.getSize() > LARGEST) {
                    throw new Problem("file \"%s\" is larger than %d bytes".formatted(path, LARGEST));
                }
                return new String(file.getBytes(LARGEST), StandardCharsets.UTF_8);
            }
        }
    }

    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException problem) throws IOException {
                    Files.delete(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.getLogger(GitResolver.class.getName())
                    .log(System.Logger.Level.WARNING, "a clone stays behind: " + e.getMessage());
        }
    }
}
