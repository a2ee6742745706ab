package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.git.source.GitFetch;
import dev.towtank.controllers.git.source.GitProblem;
import dev.towtank.controllers.git.source.GitTree;
import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// A repository that is asked over git's protocol whether it has something new: for one whose forge cannot reach us.
public final class RemoteRepository {

    private static final Pattern ADDRESS = Pattern.compile("(https?|ssh|git|file)://.+|[^/\\s]+@[^/\\s]+:.+");
    private static final String HEADS = "refs/heads/";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MOST_COMMITS = 50;
    private static final int LARGEST_FILE = 1 << 20;

    private final String url;
    private final Map<String, String> login;
    private final InstantSource clock;

    /// @param login as [GitFetch.Wanted] has it
    public RemoteRepository(String url, Map<String, String> login, InstantSource clock) {
        this.url = url;
        this.login = Map.copyOf(login);
        this.clock = clock;
    }

    public static boolean isAddress(String place) {
        return ADDRESS.matcher(place).matches();
    }

    /// Which commits its branches and tags are at, by their whole names.
    public Map<String, String> refs() throws IOException {
        try {
            var refs = new LinkedHashMap<>(fetch("HEAD").refs());
            refs.keySet().removeIf(name -> !name.startsWith(HEADS) && !name.startsWith("refs/tags/"));
            return refs;
        } catch (GitProblem e) {
            throw new IOException(e.text(), e);
        }
    }

    private GitFetch fetch(String revision) {
        return new GitFetch(new GitFetch.Wanted(url, url, revision, login, LIMIT), clock);
    }

    /// What the push that moved a branch or tag runs.
    ///
    /// @param ref its whole name
    /// @param before the commit that it was at; empty where it is new, or nobody knows
    /// @throws IllegalArgumentException something in `.tekton` is wrong
    public List<Json.Obj> pushed(String ref, String before) throws IOException, InterruptedException {
        try {
            return fetch(ref).with(tree -> {
                try {
                    return runs(tree, ref, before);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            });
        } catch (GitProblem e) {
            throw new IOException(e.text(), e);
        }
    }

    private List<Json.Obj> runs(GitTree tree, String ref, String before)
            throws GitProblem, IOException, InterruptedException {
        var files = new LinkedHashMap<String, String>();
        tree.filesBelow(".tekton", Forges.MOST_FILES, Forges.MOST_BYTES, (path, content, _) -> {
            if (Forges.isYaml(path)) {
                files.put(path, new String(content, StandardCharsets.UTF_8));
            }
        });
        var where = ".tekton of " + GitFetch.withoutCredentials(url) + " at " + tree.commit();
        return new Pretending(event(tree.commit(), ref, before), files, where).runs(path -> {
            try {
                return new String(
                        tree.file(path, LARGEST_FILE)
                                .orElseThrow(() ->
                                        new IllegalArgumentException("there is no file " + path + " beside " + where)),
                        StandardCharsets.UTF_8);
            } catch (GitProblem e) {
                throw new IOException(e.text(), e);
            }
        });
    }

    private GitEvent event(String commit, String ref, String before) throws GitProblem {
        var event = GitEvent.of(GitEvent.Forge.LOCAL, Json.Obj.EMPTY, Map.of());
        var address = GitFetch.withoutCredentials(url);
        event.url = address;
        event.baseUrl = address;
        event.headUrl = address;
        var path = address.replaceFirst("(\\.git)?/*$", "").split("[/:]", -1);
        event.name = path[path.length - 1];
        event.owner = path.length > 1 ? path[path.length - 2] : "";
        event.defaultBranch = "main";
        event.sender = "local";
        event.sha = commit;
        event.base = ref;
        event.head = ref;
        if (ref.startsWith(HEADS)) {
            var commits = fetch(commit).pushed(ref.substring(HEADS.length()), before, MOST_COMMITS);
            var files = new ChangedFiles.Builder();
            for (var each : commits) {
                each.added().forEach(file -> files.add("added", file));
                each.modified().forEach(file -> files.add("modified", file));
                each.removed().forEach(file -> files.add("removed", file));
            }
            event.files = Optional.of(files.build());
            if (!commits.isEmpty()) {
                event.said(commits.getLast().message());
            }
        }
        return event.build();
    }
}
