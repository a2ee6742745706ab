package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.controllers.pipelines.source.Resolver.Question;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/// Asks a server that hosts git repositories for a file by its own API, without a clone.
///
/// @param server the beginning of all addresses of the API
/// @param header what a token is sent in, and the words before it
record ScmApi(Kind kind, String server, Map.Entry<String, String> header) {

    enum Kind {
        GITHUB,
        GITLAB,
        GITEA
    }

    record Found(String text, String commit, String path, String url) {}

    static ScmApi of(Question question) throws Problem {
        var type = question.optional("scmType")
                .or(() -> question.setting("scm-type"))
                .orElse("");
        var server = question.optional("serverURL")
                .or(() -> question.setting("server-url"))
                .orElse("");
        var base = server.replaceFirst("/+$", "");
        return switch (type) {
            case "github", "ghe" -> new ScmApi(Kind.GITHUB, gitHub(base), Map.entry("Authorization", "Bearer "));
            case "gitlab" ->
                new ScmApi(
                        Kind.GITLAB,
                        (base.isEmpty() ? "https://gitlab.com" : base) + "/api/v4",
                        Map.entry("PRIVATE-TOKEN", ""));
            case "gitea" ->
                new ScmApi(
                        Kind.GITEA,
                        (base.isEmpty() ? "https://gitea.com" : base) + "/api/v1",
                        Map.entry("Authorization", "token "));
            default ->
                throw new Problem("failed to create SCM client: Unsupported $GIT_KIND value: " + type
                        + "; here there are github, gitlab and gitea");
        };
    }

    private static String gitHub(String base) {
        if (base.isEmpty() || base.equals("https://github.com")) {
            return "https://api.github.com";
        }
        return base.endsWith("/api/v3") || base.equals("https://api.github.com") ? base : base + "/api/v3";
    }

    Found fetch(Question question) throws Problem, InterruptedException {
        var token = token(question);
        var repository = repository(question);
        var path = question.required("pathInRepo");
        var revision = question.required("revision");
        var content = get(question, token, file(repository, path, revision), "couldn't fetch resource content");
        var text = decoded(content.string("content"));
        if (text.isEmpty()) {
            throw new Problem("no content for resource in %s/%s %s"
                    .formatted(question.required("org"), question.required("repo"), path));
        }
        var commit = get(
                question,
                token,
                commit(repository, revision),
                "couldn't fetch the commit sha for the ref %s in the repo".formatted(revision));
        var project = get(question, token, repository, "couldn't fetch repository");
        return new Found(
                text,
                commit.string(kind == Kind.GITLAB ? "id" : "sha"),
                kind == Kind.GITLAB ? content.string("file_path") : content.string("path"),
                project.string(kind == Kind.GITLAB ? "http_url_to_repo" : "clone_url"));
    }

    /// The token that an administrator has set down for everybody goes to the server it is for alone.
    private static String token(Question question) throws Problem {
        var own = question.optional("token");
        if (own.isPresent()) {
            var key = question.optional("tokenKey").orElse("token");
            return question.credentials().secret("", own.get(), key);
        }
        var server = question.optional("serverURL");
        if (server.isPresent() && !server.equals(question.setting("server-url"))) {
            throw new Problem("custom serverURL \"%s\" requires a token parameter; ".formatted(server.get())
                    + "the system token cannot be sent to a non-default server URL");
        }
        var name = setting(question, "api-token-secret-name");
        var key = setting(question, "api-token-secret-key");
        return question.credentials()
                .secret(question.setting("api-token-secret-namespace").orElse("tekton-pipelines-resolvers"), name, key);
    }

    private static String setting(Question question, String name) throws Problem {
        return question.setting(name)
                .orElseThrow(() -> new Problem(
                        "cannot get API token, required when specifying 'repo' param, '%s' not specified in config"
                                .formatted(name)));
    }

    private String repository(Question question) throws Problem {
        var org = question.required("org");
        var repo = question.required("repo");
        return switch (kind) {
            case GITHUB, GITEA -> server + "/repos/" + encoded(org) + "/" + encoded(repo);
            case GITLAB -> server + "/projects/" + encoded(org + "/" + repo);
        };
    }

    private String file(String repository, String path, String revision) {
        return switch (kind) {
            case GITHUB, GITEA -> repository + "/contents/" + path(path) + "?ref=" + encoded(revision);
            case GITLAB -> repository + "/repository/files/" + encoded(path) + "?ref=" + encoded(revision);
        };
    }

    private String commit(String repository, String revision) {
        return switch (kind) {
            case GITHUB -> repository + "/commits/" + encoded(revision);
            case GITEA -> repository + "/git/commits/" + encoded(revision);
            case GITLAB -> repository + "/repository/commits/" + encoded(revision);
        };
    }

    private static String path(String path) {
        return Arrays.stream(path.split("/", -1)).map(ScmApi::encoded).collect(Collectors.joining("/"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String content) throws Problem {
        try {
            return new String(Base64.getMimeDecoder().decode(content), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Problem("couldn't fetch resource content: it is not base64");
        }
    }

    private Json.Obj get(Question question, String token, String address, String doing)
            throws Problem, InterruptedException {
        try {
            var page = new Fetch(question.limit("fetch-timeout"), 2 * Resolver.LARGEST)
                    .get(
                            URI.create(question.rewrites().of(address)),
                            Map.of(header.getKey(), header.getValue() + token));
            if (!page.isGood()) {
                throw Problem.status(page.status(), page.status() == 404 ? "Not Found" : "status " + page.status());
            }
            return JsonText.parseObject(page.text());
        } catch (JsonText.Malformed e) {
            throw new Problem(doing + ": the answer is not JSON");
        } catch (Problem e) {
            throw e.during(doing);
        }
    }

    @Override
    public String toString() {
        return "ScmApi[" + kind + " " + server + "]";
    }
}
