package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.Payloads;
import dev.towtank.model.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is asked of forges, and told to them.
sealed interface Forges {

    int MOST_FILES = 1000;
    int MOST_BYTES = 8 << 20;

    /// Every YAML file below `.tekton`, by path; nothing where there is no such directory.
    Map<String, String> tekton(String revision) throws IOException, InterruptedException;

    String file(String path, String revision) throws IOException, InterruptedException;

    ChangedFiles files(GitEvent event) throws IOException, InterruptedException;

    /// The event with what only the forge knows about its pull request.
    GitEvent completed(GitEvent event) throws IOException, InterruptedException;

    /// Whether somebody may let things run here.
    boolean isTrusted(String user) throws IOException, InterruptedException;

    void tell(String sha, State state, String context, String description, String url)
            throws IOException, InterruptedException;

    void comment(long pullRequest, String text) throws IOException, InterruptedException;

    enum State {
        PENDING,
        RUNNING,
        SUCCESS,
        FAILURE,
        CANCELLED
    }

    static Forges of(GitEvent.Forge forge, String api, String owner, String name, String token) {
        var http = new ForgeHttp(token, forge == GitEvent.Forge.GITLAB);
        return forge == GitEvent.Forge.GITLAB
                ? new GitLab(http, root(forge, api) + "/projects/" + encoded(owner + "/" + name))
                : new GitHubLike(http, root(forge, api) + "/repos/" + encoded(owner) + "/" + encoded(name));
    }

    private static String root(GitEvent.Forge forge, String address) {
        var base = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        var host = String.valueOf(URI.create(base).getHost());
        return switch (forge) {
            case GITHUB ->
                host.equals("github.com") || host.equals("api.github.com")
                        ? "https://api.github.com"
                        : base.endsWith("/api/v3") ? base : base + "/api/v3";
            case GITEA -> base + "/api/v1";
            case GITLAB -> base + "/api/v4";
            case LOCAL -> throw new IllegalArgumentException("this machine is no forge");
        };
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static boolean isTekton(String path) {
        return path.startsWith(".tekton/") && (path.endsWith(".yaml") || path.endsWith(".yml"));
    }

    private static void bounded(Map<String, String> files) throws IOException {
        long size = files.values().stream().mapToLong(String::length).sum();
        if (files.size() > MOST_FILES || size > MOST_BYTES) {
            throw new IOException(
                    ".tekton is too large: at most " + MOST_FILES + " files and " + MOST_BYTES + " bytes");
        }
    }

    /// GitHub, and Gitea and Forgejo, which answer as GitHub does.
    record GitHubLike(ForgeHttp http, String repository) implements Forges {

        @Override
        public Map<String, String> tekton(String revision) throws IOException, InterruptedException {
            var files = new LinkedHashMap<String, String>();
            var tree = http.find(repository + "/git/trees/" + encoded(revision) + "?recursive=true");
            for (var entry : tree.orElse(Json.Obj.EMPTY).objects("tree")) {
                if (entry.string("type").equals("blob") && isTekton(entry.string("path"))) {
                    var blob = http.get(repository + "/git/blobs/" + encoded(entry.string("sha")));
                    files.put(entry.string("path"), decoded(blob));
                    bounded(files);
                }
            }
            return files;
        }

        private static String decoded(Json.Obj blob) throws IOException {
            try {
                return new String(Base64.getMimeDecoder().decode(blob.string("content")), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw new IOException("a file of the repository is no base64", e);
            }
        }

        @Override
        public String file(String path, String revision) throws IOException, InterruptedException {
            return decoded(http.get(repository + "/contents/" + path(path) + "?ref=" + encoded(revision)));
        }

        private static String path(String path) {
            return String.join(
                    "/", List.of(path.split("/")).stream().map(Forges::encoded).toList());
        }

        @Override
        public ChangedFiles files(GitEvent event) throws IOException, InterruptedException {
            var files = new ChangedFiles.Builder();
            var found = event.pullRequest().isPresent()
                    ? http.list(repository + "/pulls/" + event.pullRequest().get() + "/files?per_page=100&limit=100")
                    : http.get(repository + "/commits/" + encoded(event.sha())).objects("files");
            found.forEach(file -> files.add(file.string("status"), file.string("filename")));
            return files.build();
        }

        @Override
        public GitEvent completed(GitEvent event) throws IOException, InterruptedException {
            if (event.pullRequest().isEmpty() || !event.sha().isEmpty()) {
                return event;
            }
            var change = event.change();
            Payloads.ofPullRequest(
                    change,
                    http.get(repository + "/pulls/" + event.pullRequest().get()));
            // Whoever comments is the one who asks.
            change.sender = event.sender();
            return change.build();
        }

        @Override
        public boolean isTrusted(String user) throws IOException, InterruptedException {
            return http.exists(repository + "/collaborators/" + encoded(user));
        }

        @Override
        public void tell(String sha, State state, String context, String description, String url)
                throws IOException, InterruptedException {
            var word = switch (state) {
                case PENDING, RUNNING -> "pending";
                case SUCCESS -> "success";
                case FAILURE -> "failure";
                case CANCELLED -> "error";
            };
            http.post(
                    repository + "/statuses/" + encoded(sha),
                    Json.Obj.builder()
                            .put("state", word)
                            .put("context", context)
                            .put("description", description)
                            .putNonEmpty("target_url", url)
                            .build());
        }

        @Override
        public void comment(long pullRequest, String text) throws IOException, InterruptedException {
            http.post(repository + "/issues/" + pullRequest + "/comments", Json.Obj.of("body", Json.of(text)));
        }
    }

    /// GitLab.
    record GitLab(ForgeHttp http, String project) implements Forges {

        @Override
        public Map<String, String> tekton(String revision) throws IOException, InterruptedException {
            var files = new LinkedHashMap<String, String>();
            var tree = http.list(
                    project + "/repository/tree?path=.tekton&recursive=true&per_page=100&ref=" + encoded(revision));
            for (var entry : tree) {
                if (entry.string("type").equals("blob") && isTekton(entry.string("path"))) {
                    files.put(entry.string("path"), file(entry.string("path"), revision));
                    bounded(files);
                }
            }
            return files;
        }

        @Override
        public String file(String path, String revision) throws IOException, InterruptedException {
            return http.text(project + "/repository/files/" + encoded(path) + "/raw?ref=" + encoded(revision));
        }

        @Override
        public ChangedFiles files(GitEvent event) throws IOException, InterruptedException {
            var files = new ChangedFiles.Builder();
            var found = event.pullRequest().isPresent()
                    ? http.get(project + "/merge_requests/"
                                    + event.pullRequest().get() + "/changes")
                            .objects("changes")
                    : http.list(project + "/repository/commits/" + encoded(event.sha()) + "/diff?per_page=100");
            for (var file : found) {
                var status = file.flag("new_file")
                        ? "added"
                        : file.flag("deleted_file") ? "removed" : file.flag("renamed_file") ? "renamed" : "modified";
                files.add(status, file.string("new_path"));
            }
            return files.build();
        }

        @Override
        public GitEvent completed(GitEvent event) {
            return event;
        }

        @Override
        public boolean isTrusted(String user) throws IOException, InterruptedException {
            // A developer has 30.
            return http.list(project + "/members/all?query=" + encoded(user)).stream()
                    .anyMatch(member -> member.string("username").equals(user) && member.integer("access_level") >= 30);
        }

        @Override
        public void tell(String sha, State state, String context, String description, String url)
                throws IOException, InterruptedException {
            var word = switch (state) {
                case PENDING -> "pending";
                case RUNNING -> "running";
                case SUCCESS -> "success";
                case FAILURE -> "failed";
                case CANCELLED -> "canceled";
            };
            http.post(
                    project + "/statuses/" + encoded(sha),
                    Json.Obj.builder()
                            .put("state", word)
                            .put("name", context)
                            .put("description", description)
                            .putNonEmpty("target_url", url)
                            .build());
        }

        @Override
        public void comment(long pullRequest, String text) throws IOException, InterruptedException {
            http.post(project + "/merge_requests/" + pullRequest + "/notes", Json.Obj.of("body", Json.of(text)));
        }
    }
}
