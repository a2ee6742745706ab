package dev.towtank.controllers.git.source;

import dev.towtank.model.BoundedMap;
import dev.towtank.model.template.functions.SemanticVersions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.RepositoryCache;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.util.FS;

/// Git repositories: those on this machine where they are, others by what is fetched of them, within bounds.
public final class GitRepositories {

    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("://[^/@\\s]+@");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern RANGE = Pattern.compile(".*[*^~<>=].*|.*\\.x.*|x");
    private static final String TAGS = "refs/tags/";
    private static final long LARGEST_TREE = 100L << 20;
    private static final int MOST_FILES = 20_000;
    private static final int TREES = 8;
    private static final Pattern REMOTE = Pattern.compile("(?:https?|ssh)://.+|[\\w.-]+@[\\w.-]+:.+");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Function<String, Optional<Login>> logins;
    private final UnaryOperator<String> authorities;
    private final InstantSource clock;
    // Guarded by itself; an application of many in one repository reads what the last one read.
    private final Map<String, Map<String, byte[]>> trees = BoundedMap.byUse(TREES);

    private final Map<String, Object> reading = new ConcurrentHashMap<>();
    private final LocalTrees local = new LocalTrees(MOST_FILES, LARGEST_TREE, TREES);

    /// By what a repository lets us in.
    ///
    /// @param values `username` and `password`, or `ssh-privatekey` and perhaps `known_hosts`
    public record Login(Map<String, String> values) {
        public Login {
            values = Map.copyOf(values);
        }

        public String value(String name) {
            return values.getOrDefault(name, "");
        }

        @Override
        public String toString() {
            return "Login[" + value("username") + "]";
        }
    }

    /// @param logins by the address of a repository
    /// @param authorities certificates in PEM that count for a host beside those of the machine; empty for none
    public GitRepositories(
            InstantSource clock, Function<String, Optional<Login>> logins, UnaryOperator<String> authorities) {
        this.clock = clock;
        this.logins = logins;
        this.authorities = authorities;
    }

    /// The commit that a revision means now.
    public String commit(String url, String revision) throws IOException {
        if (COMMIT.matcher(revision).matches()) {
            return revision;
        }
        if (url.startsWith("file://")) {
            try (var repository = local(url)) {
                return local(repository, revision);
            }
        }
        return remote(asked(url, GitFetch::refs, revision), revision);
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
        return readOnce(key, url, commit);
    }

    /// Who comes while somebody reads it waits for that.
    private Map<String, byte[]> readOnce(String key, String url, String commit) throws IOException {
        synchronized (reading.computeIfAbsent(key, _ -> new Object())) {
            try {
                synchronized (trees) {
                    var known = trees.get(key);
                    if (known != null) {
                        return known;
                    }
                }
                var files = url.startsWith("file://") ? localFiles(url, commit) : fetched(url, commit);
                synchronized (trees) {
                    trees.put(key, files);
                }
                return files;
            } finally {
                reading.remove(key);
            }
        }
    }

    /// The paths of files that another commit changes; empty where that cannot be told at once.
    public Optional<NavigableSet<String>> changed(String url, String before, String after) throws IOException {
        if (!url.startsWith("file://")
                || !COMMIT.matcher(before).matches()
                || !COMMIT.matcher(after).matches()) {
            return Optional.empty();
        }
        try (var repository = local(url)) {
            return has(repository, before) && has(repository, after)
                    ? local.changed(repository, ObjectId.fromString(before), ObjectId.fromString(after))
                    : Optional.empty();
        }
    }

    private static String host(String url) {
        return shown(url).replaceFirst("^[a-z]+://", "").replaceFirst("[/:].*$", "");
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

    private Map<String, byte[]> localFiles(String url, String commit) throws IOException {
        try (var repository = local(url)) {
            if (!has(repository, commit)) {
                throw new IOException("there is no commit " + commit + " in " + shown(url));
            }
            return local.files(url, repository, ObjectId.fromString(commit));
        }
    }

    private static boolean has(Repository repository, String commit) throws IOException {
        return repository.getObjectDatabase().has(ObjectId.fromString(commit));
    }

    private Map<String, byte[]> fetched(String url, String commit) throws IOException {
        return asked(
                url,
                fetch -> fetch.with(tree -> {
                    var files = new TreeMap<String, byte[]>();
                    tree.files(MOST_FILES, LARGEST_TREE, (path, content, _) -> files.put(path, content));
                    return files;
                }),
                commit);
    }

    private interface Asking<T> {
        T answer(GitFetch fetch) throws GitProblem;
    }

    private <T> T asked(String url, Asking<T> asking, String revision) throws IOException {
        if (!REMOTE.matcher(url).matches()) {
            throw new IOException(
                    "repositories are read by file://, http://, https:// or ssh://, not as " + shown(url));
        }
        var login = new HashMap<>(logins.apply(url).map(Login::values).orElse(Map.of()));
        var pem = authorities.apply(host(url));
        if (!pem.isEmpty()) {
            login.put("ca.crt", pem);
        }
        try {
            return asking.answer(new GitFetch(new GitFetch.Wanted(url, url, revision, login, LIMIT), clock));
        } catch (GitProblem e) {
            throw new IOException("failed to fetch " + shown(url) + ": " + shown(e.text()), e);
        }
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

    private static String remote(Map<String, String> refs, String revision) throws IOException {
        var names = RANGE.matcher(revision).matches()
                ? List.of(newest(refs.keySet(), revision))
                : List.of("refs/heads/" + revision, TAGS + revision, revision);
        for (var name : names) {
            var found = refs.get(name);
            if (found != null) {
                return found;
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
}
