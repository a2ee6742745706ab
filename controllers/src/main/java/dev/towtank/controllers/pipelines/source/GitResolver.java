package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.SshCommand;
import dev.towtank.model.Json;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Fetches a definition out of a git repository: by git's own protocol, or by the API of the server that hosts it.
public final class GitResolver implements Resolver {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-fA-F]{40}|[0-9a-fA-F]{64}");
    private static final Pattern REPOSITORY = Pattern.compile("^([^@]+@[^:]+|(git|ssh|ftps?|https?)://).*");
    private static final String PREFIX = "resolution.tekton.dev/";

    private final InstantSource clock;
    private final SshCommand ssh;

    GitResolver(InstantSource clock) {
        this(clock, SshCommand.SYSTEM);
    }

    /// @param ssh which knows hosts
    public GitResolver(InstantSource clock, SshCommand ssh) {
        this.clock = clock;
        this.ssh = ssh;
    }

    @Override
    public Installed installed() {
        return new Installed(
                "Git",
                "git-resolver-config",
                Map.of(
                        "backoff-steps", "2",
                        "fetch-timeout", "1m",
                        "default-url", "https://github.com/tektoncd/catalog.git",
                        "default-revision", "main",
                        "scm-type", "github",
                        "api-token-secret-namespace", "default"));
    }

    @Override
    public boolean isImmutable(Question question) {
        return COMMIT.matcher(question.params().getOrDefault("revision", "")).matches();
    }

    @Override
    public Answer resolve(Question question) throws Problem, InterruptedException {
        var settings = settings(question);
        var complete = complete(question, settings);
        if (complete.optional("url").isPresent()) {
            var found = new GitClone(complete, ssh, clock).fetch();
            return answer(found.text(), found.commit(), complete.required("pathInRepo"), found.url(), Map.of());
        }
        var found = ScmApi.of(complete).fetch(complete);
        var more = Map.of(
                PREFIX + "org", complete.required("org"),
                PREFIX + "repo", complete.required("repo"));
        return answer(found.text(), found.commit(), found.path(), found.url(), more);
    }

    /// Those of the configuration that the request names: `name.key`, or `key` alone for the usual one.
    private static Map<String, String> settings(Question question) throws Problem {
        var all = new LinkedHashMap<String, Map<String, String>>();
        for (var setting : question.settings().entrySet()) {
            var parts = setting.getKey().split("\\.", -1);
            if (parts.length > 2) {
                throw Problem.invalid("key %s passed in git resolver configmap is invalid".formatted(setting.getKey()));
            }
            all.computeIfAbsent(parts.length == 2 ? parts[0] : "default", _ -> new LinkedHashMap<>())
                    .put(parts[parts.length - 1], setting.getValue());
        }
        var wanted = question.params().get("configKey");
        if (wanted != null && !all.containsKey(wanted)) {
            throw Problem.invalid("no git resolver configuration found for configKey " + wanted);
        }
        return all.getOrDefault(wanted == null ? "default" : wanted, Map.of());
    }

    /// The question with what the settings say where it says nothing, after the checks that Tekton makes.
    private static Question complete(Question question, Map<String, String> settings) throws Problem {
        var params = new LinkedHashMap<>(question.params());
        var missing = new ArrayList<String>();
        if (!params.containsKey("revision")) {
            fill(params, "revision", settings, "default-revision", missing);
        }
        if (!params.containsKey("pathInRepo")) {
            missing.add("pathInRepo");
        }
        place(params, settings);
        if (!missing.isEmpty()) {
            throw Problem.invalid("missing required git resolver params: " + String.join(", ", missing));
        }
        check(params);
        return new Question(params, settings, question.credentials(), question.rewrites(), question.limit());
    }

    private static void fill(
            Map<String, String> params,
            String name,
            Map<String, String> settings,
            String setting,
            List<String> missing) {
        var value = settings.getOrDefault(setting, "");
        if (value.isEmpty()) {
            missing.add(name);
        } else {
            params.put(name, value);
        }
    }

    private static void place(Map<String, String> params, Map<String, String> settings) throws Problem {
        boolean hasUrl = !params.getOrDefault("url", "").isEmpty();
        boolean hasRepo = !params.getOrDefault("repo", "").isEmpty();
        if (hasUrl && hasRepo) {
            throw Problem.invalid("cannot specify both 'url' and 'repo'");
        }
        if (!hasUrl && !hasRepo) {
            var usual = settings.getOrDefault("default-url", "");
            if (usual.isEmpty()) {
                throw Problem.invalid("must specify one of 'url' or 'repo'");
            }
            params.put("url", usual);
        }
        if (hasRepo && !params.containsKey("org")) {
            var usual = settings.getOrDefault("default-org", "");
            if (usual.isEmpty()) {
                throw Problem.invalid("'org' is required when 'repo' is specified");
            }
            params.put("org", usual);
        }
    }

    private static void check(Map<String, String> params) throws Problem {
        var revision = params.getOrDefault("revision", "");
        if (revision.startsWith("-")) {
            throw Problem.invalid("invalid revision \"%s\": must not begin with '-'".formatted(revision));
        }
        var url = params.getOrDefault("url", "");
        if (params.getOrDefault("repo", "").isEmpty()
                && params.getOrDefault("org", "").isEmpty()
                && !REPOSITORY.matcher(url).matches()) {
            throw Problem.invalid("invalid git repository url: " + GitFetch.withoutCredentials(url));
        }
        var path = params.getOrDefault("pathInRepo", "").replaceFirst("^/+", "");
        if (List.of(path.split("/", -1)).contains("..")) {
            throw Problem.invalid("invalid path \"%s\": must not contain '..' components".formatted(path));
        }
        params.put("pathInRepo", path);
    }

    private static Answer answer(String text, String commit, String path, String url, Map<String, String> more) {
        var shown = GitFetch.withoutCredentials(url);
        var source = Json.Obj.builder()
                .put("uri", "git+" + shown)
                .put("digest", Json.Obj.of("sha1", Json.of(commit)))
                .put("entryPoint", path)
                .build();
        var notes = new LinkedHashMap<String, String>(more);
        notes.put(PREFIX + "revision", commit);
        notes.put(PREFIX + "path", path);
        notes.put(PREFIX + "url", shown);
        notes.put(PREFIX + "content-type", "application/x-yaml");
        return new Answer(text, source, notes);
    }
}
