package dev.towtank.controllers.gitops.source;

import dev.towtank.controllers.git.source.Trust;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.model.template.functions.SemanticVersions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.RepositoryCache;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.util.FS;

/// Git repositories: those on this machine where they are, others by a copy that is kept.
public final class GitRepositories {

    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("://[^/@\\s]+@");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern RANGE = Pattern.compile(".*[*^~<>=].*|.*\\.x.*|x");
    private static final String TAGS = "refs/tags/";
    private static final long LARGEST_TREE = 100L << 20;
    private static final int MOST_FILES = 20_000;
    private static final int TREES = 8;
    private static final int SECONDS = 60;

    private final Supplier<Path> copies;
    private final Function<String, Optional<Login>> logins;
    private final UnaryOperator<String> authorities;
    private final Map<String, Object> locks = new ConcurrentHashMap<>();
    // Guarded by itself; an application of many in one repository reads what the last one read.
    private final Map<String, Map<String, byte[]>> trees = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<String, byte[]>> eldest) {
            return size() > TREES;
        }
    };

    /// By which name and password a repository lets us in.
    public record Login(String username, String password) {
        @Override
        public String toString() {
            return "Login[" + username + "]";
        }
    }

    /// @param copies where repositories of other machines are kept
    /// @param logins by the address of a repository
    /// @param authorities certificates in PEM that count for a host beside those of the machine; empty for none
    public GitRepositories(
            Supplier<Path> copies, Function<String, Optional<Login>> logins, UnaryOperator<String> authorities) {
        this.copies = copies;
        this.logins = logins;
        this.authorities = authorities;
    }

    /// The commit that a revision means now.
    public String commit(RevisionQuestion question) throws IOException {
        var revision = question.revision();
        if (COMMIT.matcher(revision).matches()) {
            return revision;
        }
        return asked(question.repository(), () -> {
            if (question.isLocal()) {
                try (var repository = local(question.repository())) {
                    return local(repository, revision);
                }
            }
            return remote(refs(question.repository()), revision);
        });
    }

    /// All regular files at a commit, by their paths. Links lead nowhere here: a repository cannot show what is
    /// outside of it.
    public Map<String, byte[]> files(String url, String commit) throws IOException {
        var key = commit + " " + url;
        synchronized (trees) {
            var known = trees.get(key);
            if (known != null) {
                return known;
            }
        }
        var files = asked(url, () -> {
            try (var repository = opened(url, commit)) {
                return files(repository, ObjectId.fromString(commit));
            }
        });
        synchronized (trees) {
            trees.put(key, files);
        }
        return files;
    }

    private interface Asking<T> {
        T answer() throws IOException, GitAPIException;
    }

    private <T> T asked(String url, Asking<T> asking) throws IOException {
        try {
            return asking.answer();
        } catch (GitAPIException | JGitInternalException e) {
            throw new IOException("failed to fetch " + shown(url) + ": " + shown(String.valueOf(e.getMessage())), e);
        }
    }

    private static String shown(String text) {
        return CREDENTIALS_IN_URL.matcher(text).replaceAll("://");
    }

    private static Repository local(String url) throws IOException {
        Path place;
        try {
            place = Path.of(URI.create(url));
        } catch (IllegalArgumentException e) {
            throw new IOException(shown(url) + " is no address of a directory: " + e.getMessage(), e);
        }
        var directory = RepositoryCache.FileKey.resolve(place.toFile(), FS.DETECTED);
        if (directory == null) {
            throw new IOException(place + " is no git repository");
        }
        return new FileRepositoryBuilder()
                .setGitDir(directory)
                .setMustExist(true)
                .build();
    }

    private Repository opened(String url, String commit) throws IOException, GitAPIException {
        if (url.startsWith("file://")) {
            var repository = local(url);
            if (!has(repository, commit)) {
                repository.close();
                throw new IOException("there is no commit " + commit + " in " + shown(url));
            }
            return repository;
        }
        synchronized (locks.computeIfAbsent(url, _ -> new Object())) {
            return copy(url, commit);
        }
    }

    private static boolean has(Repository repository, String commit) throws IOException {
        return repository.getObjectDatabase().has(ObjectId.fromString(commit));
    }

    private Repository copy(String url, String commit) throws IOException, GitAPIException {
        var name = UUID.nameUUIDFromBytes(url.getBytes(StandardCharsets.UTF_8)).toString();
        var directory = Files.createDirectories(copies.get().resolve("repositories"))
                .resolve(name)
                .toFile();
        try (var git = Git.init().setBare(true).setDirectory(directory).call()) {
            if (!has(git.getRepository(), commit)) {
                git.getRepository().getConfig().setBoolean("gc", null, "autoDetach", false);
                authorized(url, git.fetch().setRemote(checked(url)))
                        .setRemoveDeletedRefs(true)
                        .setRefSpecs(new RefSpec("+refs/heads/*:refs/heads/*"), new RefSpec("+refs/tags/*:refs/tags/*"))
                        .call();
            }
            if (!has(git.getRepository(), commit)) {
                throw new IOException("there is no commit " + commit + " in " + shown(url));
            }
        }
        return new FileRepositoryBuilder()
                .setGitDir(directory)
                .setMustExist(true)
                .build();
    }

    private static String checked(String url) throws IOException {
        if (!url.matches("https?://.*")) {
            throw new IOException("repositories are read by file://, http:// or https://, not as " + shown(url));
        }
        return url;
    }

    private <C extends TransportCommand<C, ?>> C authorized(String url, C command) throws IOException {
        var pem = authorities.apply(host(url));
        if (!pem.isEmpty()) {
            command.setTransportConfigCallback(Trust.of(pem)::on);
        }
        logins.apply(url)
                .ifPresent(login -> command.setCredentialsProvider(
                        new UsernamePasswordCredentialsProvider(login.username(), login.password())));
        return command.setTimeout(SECONDS);
    }

    private static String host(String url) {
        return shown(url).replaceFirst("^[a-z]+://", "").replaceFirst("[/:].*$", "");
    }

    private Map<String, Ref> refs(String url) throws IOException, GitAPIException {
        return authorized(url, Git.lsRemoteRepository().setRemote(checked(url))).callAsMap();
    }

    private static String local(Repository repository, String revision) throws IOException {
        if (RANGE.matcher(revision).matches()) {
            var tags = repository.getRefDatabase().getRefsByPrefix(TAGS).stream()
                    .map(Ref::getName)
                    .toList();
            return commit(repository, newest(tags, revision));
        }
        for (var name : new String[] {"refs/heads/" + revision, TAGS + revision, revision}) {
            if (repository.resolve(name + "^{commit}") != null) {
                return commit(repository, name);
            }
        }
        throw unresolved(revision);
    }

    private static String commit(Repository repository, String name) throws IOException {
        var found = repository.resolve(name + "^{commit}");
        if (found == null) {
            throw unresolved(name);
        }
        return found.name();
    }

    private static String remote(Map<String, Ref> refs, String revision) throws IOException {
        var names = RANGE.matcher(revision).matches()
                ? List.of(newest(refs.keySet(), revision))
                : List.of("refs/heads/" + revision, TAGS + revision, revision);
        for (var name : names) {
            var found = refs.get(name);
            var id = found == null
                    ? null
                    : found.getPeeledObjectId() == null ? found.getObjectId() : found.getPeeledObjectId();
            if (id != null) {
                return id.name();
            }
        }
        throw unresolved(revision);
    }

    private static IOException unresolved(String revision) {
        return new IOException("unable to resolve '" + revision + "' to a commit SHA");
    }

    /// The tag with the highest version in a range.
    private static String newest(Collection<String> refs, String range) throws IOException {
        return refs.stream()
                .filter(ref -> ref.startsWith(TAGS))
                .map(ref -> ref.substring(TAGS.length()))
                .filter(tag -> SemanticVersions.satisfies(range, tag))
                .max(Comparator.comparing(SemanticVersions::parse))
                .map(tag -> TAGS + tag)
                .orElseThrow(() -> new IOException("no tag matches the version constraint '" + range + "'"));
    }

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
