package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

/// One fetch of one commit by git's own protocol: of a branch or tag the last one alone, into a directory that goes
/// away.
public final class GitFetch {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("://[^/@\\s]+@");
    private static final String WANTED = "refs/heads/wanted";

    /// @param url as people know it, for messages
    /// @param remote where it is fetched from
    /// @param revision a branch, a tag or a whole commit
    /// @param login a Secret's values: `ssh-privatekey` and `known_hosts`, or `username` and `password` or `token`;
    ///     with `ca.crt`, certificates of authorities that count for it
    public record Wanted(String url, String remote, String revision, Map<String, String> login, Duration limit) {
        public Wanted {
            login = Map.copyOf(login);
        }

        /// Who asks is nobody's business.
        @Override
        public String toString() {
            return withoutCredentials(url) + " at " + revision;
        }
    }

    /// What is done with a commit while it is there.
    @FunctionalInterface
    public interface Use<R> {
        R of(GitTree tree) throws GitProblem, IOException;
    }

    private final Wanted wanted;
    private final SshCommand ssh;
    private final InstantSource clock;

    public GitFetch(Wanted wanted, InstantSource clock) {
        this(wanted, SshCommand.SYSTEM, clock);
    }

    /// @param ssh for tests, in place of the machine's own
    public GitFetch(Wanted wanted, SshCommand ssh, InstantSource clock) {
        this.wanted = wanted;
        this.ssh = ssh;
        this.clock = clock;
    }

    /// For messages: an address may have a password in it.
    public static String withoutCredentials(String text) {
        return CREDENTIALS_IN_URL.matcher(text).replaceAll("://");
    }

    /// Which commits the branches and tags of the repository are at, by their whole names.
    public Map<String, String> refs() throws GitProblem {
        try (var access = access()) {
            var found = new TreeMap<String, String>();
            told(access).forEach((name, ref) -> {
                var id = ref.getPeeledObjectId() == null ? ref.getObjectId() : ref.getPeeledObjectId();
                if (id != null) {
                    found.put(name, id.name());
                }
            });
            return found;
        } catch (GitAPIException | JGitInternalException | IOException e) {
            throw problem(e);
        }
    }

    /// What the server says it has.
    private Map<String, Ref> told(Access access) throws GitProblem, GitAPIException {
        try {
            return access.on(Git.lsRemoteRepository().setRemote(wanted.remote), seconds())
                    .callAsMap();
        } catch (NullPointerException e) {
            // The library's own, at a server that hands out a repository's files and does not speak the protocol.
            throw new GitProblem("git fetch error: " + withoutCredentials(wanted.url)
                    + " is a directory of files on a web server, which does not speak git's protocol");
        }
    }

    public <R> R with(Use<R> use) throws GitProblem {
        var directory = temporary();
        var watch = new FetchLimits(directory, clock, clock.instant().plus(wanted.limit));
        try (var access = access();
                var git = Git.init()
                        .setBare(true)
                        .setDirectory(directory.toFile())
                        .call()) {
            // Nobody may still be tidying it up while it is thrown away.
            git.getRepository().getConfig().setBoolean("gc", null, "autoDetach", false);
            return use.of(new GitTree(git.getRepository(), fetch(git, access, watch)));
        } catch (GitAPIException | JGitInternalException | IOException e) {
            watch.check();
            throw problem(e);
        } finally {
            FetchLimits.delete(directory);
        }
    }

    /// The commits that a branch has got since it was at another, the oldest first. Of a branch that is new, or that
    /// does
    /// not
    /// go on from there, the last one alone.
    ///
    /// @param most how many are looked at
    public List<PushedCommit> pushed(String branch, String before, int most) throws GitProblem {
        var directory = temporary();
        var watch = new FetchLimits(directory, clock, clock.instant().plus(wanted.limit));
        try (var access = access();
                var git = Git.init()
                        .setBare(true)
                        .setDirectory(directory.toFile())
                        .call()) {
            git.getRepository().getConfig().setBoolean("gc", null, "autoDetach", false);
            fetch(git, access, watch, new RefSpec("+refs/heads/" + branch + ":" + WANTED), most + 1);
            return CommitHistory.since(git.getRepository(), resolved(git, wanted.revision), before, most);
        } catch (GitAPIException | JGitInternalException | IOException e) {
            watch.check();
            throw problem(e);
        } finally {
            FetchLimits.delete(directory);
        }
    }

    private GitProblem problem(Exception cause) {
        var message = "git fetch error: " + withoutCredentials(words(cause));
        return NetworkWords.isPassing(cause)
                ? new GitProblem(GitProblem.Kind.PASSING, message)
                : new GitProblem(message);
    }

    private String words(Exception problem) {
        var host = withoutCredentials(wanted.url).replaceFirst("^[a-z]+://", "").replaceFirst("[/:].*$", "");
        return NetworkWords.words(problem, host);
    }

    private static Path temporary() throws GitProblem {
        try {
            return Files.createTempDirectory("git-resolver");
        } catch (IOException e) {
            throw new GitProblem("no room for a clone: " + e.getMessage());
        }
    }

    private ObjectId fetch(Git git, Access access, FetchLimits watch) throws GitProblem, GitAPIException, IOException {
        var revision = wanted.revision;
        var refs = told(access);
        var ref = Stream.of(revision, "refs/heads/" + revision, "refs/tags/" + revision)
                .map(refs::get)
                .flatMap(found -> Optional.<Ref>ofNullable(found).stream())
                .findFirst();
        if (ref.isPresent()) {
            fetch(git, access, watch, new RefSpec("+" + ref.get().getName() + ":" + WANTED), 1);
            return resolved(git, WANTED);
        }
        if (!COMMIT.matcher(revision).matches()) {
            throw new GitProblem("revision error: reference not found: " + revision);
        }
        if (!fetchesAlone(git, access, watch)) {
            // Some servers give away single commits only by what leads to them.
            fetch(git, access, watch, new RefSpec("+refs/heads/*:refs/heads/*"), 0);
        }
        return resolved(git, revision);
    }

    private boolean fetchesAlone(Git git, Access access, FetchLimits watch) throws GitProblem, IOException {
        try {
            fetch(git, access, watch, new RefSpec(wanted.revision + ":" + WANTED), 1);
            return git.getRepository().resolve(wanted.revision + "^{commit}") != null;
        } catch (GitAPIException e) {
            watch.check();
            return false;
        }
    }

    private void fetch(Git git, Access access, FetchLimits watch, RefSpec spec, int depth) throws GitAPIException {
        var fetch = git.fetch().setRemote(wanted.remote).setRefSpecs(spec).setProgressMonitor(watch);
        if (depth > 0) {
            fetch.setDepth(depth);
        }
        access.on(fetch, seconds()).call();
    }

    private ObjectId resolved(Git git, String name) throws GitProblem, IOException {
        var commit = git.getRepository().resolve(name + "^{commit}");
        if (commit == null) {
            throw new GitProblem("revision error: reference not found: " + wanted.revision);
        }
        return commit;
    }

    private int seconds() {
        return Math.clamp(wanted.limit.toSeconds(), 1, Integer.MAX_VALUE);
    }

    /// How the server learns who asks: nobody, somebody with a password, or somebody with a key.
    private record Access(Optional<CredentialsProvider> password, SshCommand.Session ssh, Optional<Trust> trust)
            implements AutoCloseable {

        <C extends TransportCommand<C, ?>> C on(C command, int seconds) {
            return command.setTimeout(seconds)
                    .setCredentialsProvider(password.orElse(null))
                    .setTransportConfigCallback(transport -> {
                        if (transport instanceof SshTransport over) {
                            over.setSshSessionFactory(ssh);
                        }
                        trust.ifPresent(each -> each.on(transport));
                    });
        }

        @Override
        public void close() {
            ssh.close();
        }
    }

    private Access access() throws IOException {
        var authorities = wanted.login.get("ca.crt");
        var trust = authorities == null ? Optional.<Trust>empty() : Optional.of(Trust.of(authorities));
        if (wanted.login.containsKey("ssh-privatekey")) {
            return new Access(Optional.empty(), ssh.session(wanted.login), trust);
        }
        var nobody = ssh.session(Map.of());
        var password = Optional.ofNullable(wanted.login.get("password"))
                .or(() -> Optional.ofNullable(wanted.login.get("token")));
        var user = wanted.login.getOrDefault("username", "git");
        return new Access(password.map(text -> new UsernamePasswordCredentialsProvider(user, text)), nobody, trust);
    }
}
