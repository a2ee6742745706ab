package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.controllers.pipelines.source.Resolver.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/// One fetch of one file by git's own protocol: of a branch or tag its last commit alone, into a directory that goes
/// away.
final class GitClone {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("://[^/@\\s]+@");
    private static final String WANTED = "refs/heads/wanted";

    private final Question question;
    private final SshCommand ssh;
    private final InstantSource clock;
    private final String url;
    private final String revision;
    private final Duration limit;

    /// @param url without what takes its place
    record Found(String text, String commit, String url) {}

    GitClone(Question question, SshCommand ssh, InstantSource clock) throws Problem {
        this.question = question;
        this.ssh = ssh;
        this.clock = clock;
        this.url = question.required("url");
        this.revision = question.required("revision");
        this.limit = question.limit("fetch-timeout");
    }

    static String withoutCredentials(String text) {
        return CREDENTIALS_IN_URL.matcher(text).replaceAll("://");
    }

    Found fetch() throws Problem {
        var directory = temporary();
        var watch = new FetchLimits(directory, clock, clock.instant().plus(limit));
        try (var access = access();
                var git = Git.init()
                        .setBare(true)
                        .setDirectory(directory.toFile())
                        .call()) {
            // Nobody may still be tidying it up while it is thrown away.
            git.getRepository().getConfig().setBoolean("gc", null, "autoDetach", false);
            var commit = fetch(git, access, watch);
            var path = question.required("pathInRepo");
            return new Found(read(git.getRepository(), commit, path), commit.name(), url);
        } catch (GitAPIException | JGitInternalException | IOException e) {
            watch.check();
            var message = "git fetch error: " + withoutCredentials(words(e));
            throw Fetch.isPassing(e) ? Problem.passing(message) : new Problem(message);
        } finally {
            FetchLimits.delete(directory);
        }
    }

    private String words(Exception problem) {
        var host = withoutCredentials(url).replaceFirst("^[a-z]+://", "").replaceFirst("[/:].*$", "");
        return Fetch.words(problem, host);
    }

    private static Path temporary() throws Problem {
        try {
            return Files.createTempDirectory("git-resolver");
        } catch (IOException e) {
            throw new Problem("no room for a clone: " + e.getMessage());
        }
    }

    private ObjectId fetch(Git git, Access access, FetchLimits watch) throws Problem, GitAPIException, IOException {
        var refs = access.on(Git.lsRemoteRepository().setRemote(remote()), seconds())
                .callAsMap();
        var ref = Stream.of(revision, "refs/heads/" + revision, "refs/tags/" + revision)
                .map(refs::get)
                .flatMap(found -> Optional.<Ref>ofNullable(found).stream())
                .findFirst();
        if (ref.isPresent()) {
            fetch(git, access, watch, new RefSpec("+" + ref.get().getName() + ":" + WANTED), true);
            return resolved(git, WANTED);
        }
        if (!COMMIT.matcher(revision).matches()) {
            throw new Problem("revision error: reference not found: " + revision);
        }
        if (!fetchesAlone(git, access, watch)) {
            // Some servers give away single commits only by what leads to them.
            fetch(git, access, watch, new RefSpec("+refs/heads/*:refs/heads/*"), false);
        }
        return resolved(git, revision);
    }

    private boolean fetchesAlone(Git git, Access access, FetchLimits watch) throws Problem, IOException {
        try {
            fetch(git, access, watch, new RefSpec(revision + ":" + WANTED), true);
            return git.getRepository().resolve(revision + "^{commit}") != null;
        } catch (GitAPIException e) {
            watch.check();
            return false;
        }
    }

    private void fetch(Git git, Access access, FetchLimits watch, RefSpec wanted, boolean isShallow)
            throws GitAPIException {
        var fetch = git.fetch().setRemote(remote()).setRefSpecs(wanted).setProgressMonitor(watch);
        if (isShallow) {
            fetch.setDepth(1);
        }
        access.on(fetch, seconds()).call();
    }

    private ObjectId resolved(Git git, String name) throws Problem, IOException {
        var commit = git.getRepository().resolve(name + "^{commit}");
        if (commit == null) {
            throw new Problem("revision error: reference not found: " + revision);
        }
        return commit;
    }

    private String remote() {
        return question.rewrites().of(url);
    }

    private int seconds() {
        return Math.clamp(limit.toSeconds(), 1, Integer.MAX_VALUE);
    }

    /// How the server learns who asks: nobody, somebody with a token, or somebody with a key.
    private record Access(Optional<CredentialsProvider> token, SshCommand.Session ssh) implements AutoCloseable {

        <C extends TransportCommand<C, ?>> C on(C command, int seconds) {
            return command.setTimeout(seconds)
                    .setCredentialsProvider(token.orElse(null))
                    .setTransportConfigCallback(transport -> {
                        if (transport instanceof SshTransport over) {
                            over.setSshSessionFactory(ssh);
                        }
                    });
        }

        @Override
        public void close() {
            ssh.close();
        }
    }

    private Access access() throws Problem {
        var secret = question.optional("gitToken");
        if (secret.isEmpty()) {
            return new Access(Optional.empty(), ssh.session(Map.of()));
        }
        var values = question.credentials().secret(secret.get());
        if (values.containsKey("ssh-privatekey")) {
            return new Access(Optional.empty(), ssh.session(values));
        }
        var key = question.optional("gitTokenKey").orElse("token");
        var token = question.credentials().secret("", secret.get(), key);
        return new Access(Optional.of(new UsernamePasswordCredentialsProvider("git", token)), ssh.session(Map.of()));
    }

    private static String read(Repository repository, ObjectId commit, String path) throws Problem, IOException {
        try (var walk = new RevWalk(repository)) {
            var tree = walk.parseCommit(commit).getTree();
            try (@Nullable TreeWalk found = TreeWalk.forPath(repository, path, tree)) {
                if (found == null) {
                    throw new Problem("error opening file \"%s\": file does not exist".formatted(path));
                }
                var file = repository.open(found.getObjectId(0));
                if (file.getSize() > Resolver.LARGEST) {
                    throw new Problem("file \"%s\" is larger than %d bytes".formatted(path, Resolver.LARGEST));
                }
                return new String(file.getBytes(Resolver.LARGEST), StandardCharsets.UTF_8);
            }
        }
    }
}
