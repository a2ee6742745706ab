package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.GitTree;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.controllers.pipelines.source.Resolver.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/// One file out of a repository, as a resolver is asked for it.
final class GitClone {

    private final Question question;
    private final SshCommand ssh;
    private final InstantSource clock;

    /// @param url without what takes its place
    record Found(String text, String commit, String url) {}

    GitClone(Question question, SshCommand ssh, InstantSource clock) {
        this.question = question;
        this.ssh = ssh;
        this.clock = clock;
    }

    Found fetch() throws Problem {
        var url = question.required("url");
        var wanted = new GitFetch.Wanted(
                url,
                question.rewrites().of(url),
                question.required("revision"),
                login(),
                question.limit("fetch-timeout"));
        var path = question.required("pathInRepo");
        try {
            return new GitFetch(wanted, ssh, clock).with(tree -> new Found(text(tree, path), tree.commit(), url));
        } catch (GitProblem e) {
            throw switch (e.kind()) {
                case FAILED -> new Problem(e.text());
                case PASSING -> Problem.passing(e.text());
                case TIMED_OUT -> Problem.timedOut();
            };
        }
    }

    private Map<String, String> login() throws Problem {
        var secret = question.optional("gitToken");
        if (secret.isEmpty()) {
            return Map.of();
        }
        var values = question.credentials().secret(secret.get());
        if (values.containsKey("ssh-privatekey")) {
            return values;
        }
        var key = question.optional("gitTokenKey").orElse("token");
        return Map.of("token", question.credentials().secret("", secret.get(), key));
    }

    private static String text(GitTree tree, String path) throws GitProblem, IOException {
        return tree.file(path, Resolver.LARGEST)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElseThrow(() -> new GitProblem("error opening file \"%s\": file does not exist".formatted(path)));
    }
}
