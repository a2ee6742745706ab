package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.PushedCommit;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.triggers.events.Headers;
import dev.towtank.controllers.triggers.events.PushEvent;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads repositories, and hands the events that come of it to listeners.
public final class GitWatch {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MOST_COMMITS = 100;

    private final Cluster cluster;
    private final Listeners listeners;
    private final SshCommand ssh;
    private final InstantSource clock;

    /// What is asked of a repository; with every tick anew.
    ///
    /// @param secret in the namespace; empty for none
    public record Question(LogicalCluster cluster, String namespace, String url, String secret, long tick) {
        public static Question of(Resource repository, long tick) {
            var spec = repository.spec();
            return new Question(
                    repository.cluster(),
                    repository.namespace(),
                    spec.string("url"),
                    spec.string("credentialsSecret"),
                    tick);
        }
    }

    public GitWatch(Cluster cluster, Listeners listeners, SshCommand ssh, InstantSource clock) {
        this.cluster = cluster;
        this.listeners = listeners;
        this.ssh = ssh;
        this.clock = clock;
    }

    /// Which commits its branches and tags are at.
    public Map<String, String> refs(Question question) throws IOException {
        try {
            return fetch(question, "HEAD").refs();
        } catch (GitProblem e) {
            throw new IOException(e.text(), e);
        }
    }

    private GitFetch fetch(Question question, String revision) throws GitProblem {
        var remote = Rewrites.of(cluster, question.cluster).reached(question.url);
        return new GitFetch(new GitFetch.Wanted(question.url, remote, revision, login(question), LIMIT), ssh, clock);
    }

    private Map<String, String> login(Question question) throws GitProblem {
        if (question.secret.isEmpty()) {
            return Map.of();
        }
        var secret = secret(question.cluster, question.namespace, question.secret);
        var values = new HashMap<String, String>();
        secret.json()
                .stringMap("data")
                .forEach((key, value) ->
                        values.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return values;
    }

    private Resource secret(LogicalCluster where, String namespace, String name) throws GitProblem {
        return cluster.get(Secrets.KIND, new ObjectName(where, namespace, name))
                .orElseThrow(() -> new GitProblem("there is no Secret " + name + " in namespace " + namespace));
    }

    /// Sends the event of a branch that has moved.
    ///
    /// @return what the triggers did
    public Json push(Resource repository, String branch, String before, String after)
            throws IOException, InterruptedException {
        try {
            boolean isGone = after.chars().allMatch(c -> c == '0');
            var commits = isGone
                    ? List.<PushedCommit>of()
                    : fetch(Question.of(repository, 0), after).pushed(branch, before, MOST_COMMITS);
            var event = new PushEvent(
                    repository.spec().string("url"),
                    branch,
                    before,
                    after,
                    commits.stream().map(GitWatch::commit).toList());
            var body = event.body().toString();
            var listener = new ObjectName(
                    repository.cluster(),
                    repository.namespace(),
                    repository.spec().string("eventListener"));
            return listeners.deliver(listener, body, headers(repository, event, body));
        } catch (GitProblem e) {
            throw new IOException(e.text(), e);
        }
    }

    private static PushEvent.Commit commit(PushedCommit commit) {
        return new PushEvent.Commit(
                commit.id(),
                commit.message(),
                commit.time(),
                commit.author(),
                commit.email(),
                commit.added(),
                commit.removed(),
                commit.modified());
    }

    private Headers headers(Resource repository, PushEvent event, String body) throws GitProblem {
        var reference = repository.spec().object("secretRef");
        if (reference.size() == 0) {
            return event.headers();
        }
        var value = secret(repository.cluster(), repository.namespace(), reference.string("secretName"))
                .json()
                .string("data", reference.string("secretKey"));
        return event.signed(body, Base64.getDecoder().decode(value));
    }
}
