package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Outside;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.Rendering;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.RepositoryCache;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.util.FS;

/// Reads git repositories: those on this machine where they are, others by a copy that is kept.
public final class GitSource implements Outside.Reader<SourceQuestion, Manifests> {

    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("://[^/@\\s]+@");
    private static final long LARGEST_TREE = 100L << 20;
    private static final int MOST_FILES = 20_000;
    private static final int REMEMBERED = 1_000;
    private static final int SECONDS = 60;

    private final Supplier<Path> copies;
    private final InstantSource clock;
    private final Map<SourceQuestion, Manifests> newest = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SourceQuestion, Manifests> eldest) {
            return size() > REMEMBERED;
        }
    });

    /// @param copies where repositories of other machines are kept
    public GitSource(Supplier<Path> copies, InstantSource clock) {
        this.copies = copies;
        this.clock = clock;
    }

    /// Whether a look costs next to nothing.
    public static boolean isLocal(SourceQuestion question) {
        return question.repository().startsWith("file://");
    }

    @Override
    public Manifests read(SourceQuestion question) throws IOException {
        try (var repository = repository(question)) {
            var commit = commit(repository, question.revision());
            var known = newest.get(question);
            if (known != null && known.revision().equals(commit.name())) {
                return known;
            }
            var manifests = Rendering.render(question, commit.name(), files(repository, commit), clock.instant());
            newest.put(question, manifests);
            return manifests;
        } catch (GitAPIException | JGitInternalException e) {
            throw new IOException(
                    "failed to fetch " + shown(question) + ": " + shown(String.valueOf(e.getMessage())), e);
        }
    }

    private static String shown(SourceQuestion question) {
        return shown(question.repository());
    }

    private static String shown(String text) {
        return CREDENTIALS_IN_URL.matcher(text).replaceAll("://");
    }

    private Repository repository(SourceQuestion question) throws IOException, GitAPIException {
        if (isLocal(question)) {
            var place = Path.of(URI.create(question.repository()));
            var directory = RepositoryCache.FileKey.resolve(place.toFile(), FS.DETECTED);
            if (directory == null) {
                throw new IOException(place + " is no git repository");
            }
            return new FileRepositoryBuilder()
                    .setGitDir(directory)
                    .setMustExist(true)
                    .build();
        }
        if (!question.repository().matches("https?://.*")) {
            throw new IOException("repositories are read by file://, http:// or https://, not as " + shown(question));
        }
        return copy(question.repository());
    }

    /// One at a time for each repository would do; one at a time for all is simpler.
    private synchronized Repository copy(String url) throws IOException, GitAPIException {
        var name = UUID.nameUUIDFromBytes(url.getBytes(StandardCharsets.UTF_8)).toString();
        var directory = Files.createDirectories(copies.get().resolve("repositories"))
                .resolve(name)
                .toFile();
        try (var git = Git.init().setBare(true).setDirectory(directory).call()) {
            git.fetch()
                    .setRemote(url)
                    .setTimeout(SECONDS)
                    .setRemoveDeletedRefs(true)
                    .setRefSpecs(new RefSpec("+refs/heads/*:refs/heads/*"), new RefSpec("+refs/tags/*:refs/tags/*"))
                    .call();
            var head = Git.lsRemoteRepository()
                    .setRemote(url)
                    .setTimeout(SECONDS)
                    .callAsMap()
                    .get("HEAD");
            if (head != null && head.getTarget() != null && head.isSymbolic()) {
                git.getRepository().updateRef("HEAD").link(head.getTarget().getName());
            }
        }
        return new FileRepositoryBuilder()
                .setGitDir(directory)
                .setMustExist(true)
                .build();
    }

    private static ObjectId commit(Repository repository, String revision) throws IOException {
        for (var name : new String[] {"refs/heads/" + revision, "refs/tags/" + revision, revision}) {
            var found = Optional.ofNullable(repository.resolve(name + "^{commit}"));
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new IOException("unable to resolve '" + revision + "' to a commit SHA");
    }

    /// Links lead nowhere here: a repository cannot show what is outside of it.
    private static Map<String, byte[]> files(Repository repository, ObjectId commit) throws IOException {
        var files = new TreeMap<String, byte[]>();
        long bytes = 0;
        try (var commits = new RevWalk(repository);
                var walk = new TreeWalk(repository)) {
            walk.addTree(commits.parseCommit(commit).getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                if (!FileMode.REGULAR_FILE.equals(walk.getFileMode(0))
                        && !FileMode.EXECUTABLE_FILE.equals(walk.getFileMode(0))) {
                    continue;
                }
                var file = repository.open(walk.getObjectId(0));
                bytes += file.getSize();
                if (bytes > LARGEST_TREE || files.size() >= MOST_FILES) {
                    throw new IOException(
                            "the repository has more than " + MOST_FILES + " files or " + LARGEST_TREE + " bytes");
                }
                files.put(walk.getPathString(), file.getBytes());
            }
        }
        return files;
    }
}
