package dev.towtank.controllers.pipelinesascode.source;

import static dev.towtank.controllers.pipelinesascode.source.Forges.encoded;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.Payloads;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// GitHub, and Gitea and Forgejo, which answer as GitHub does.
///
/// @param isApp whether it is a GitHub App that speaks, and so writes check runs
record GitHubForge(ForgeHttp http, String root, String owner, String name, boolean isApp) implements Forges {

    /// Gitea gives no more at once, and the others need not.
    private static final int PAGE = 50;
    private static final int MOST_PAGES = 60;
    private static final int LONGEST_DESCRIPTION = 140;
    private static final int MOST_FINDINGS = 50;

    private String repository() {
        return root + "/repos/" + encoded(owner) + "/" + encoded(name);
    }

    @Override
    public Map<String, String> tekton(String revision) throws IOException, InterruptedException {
        var files = new LinkedHashMap<String, String>();
        var directory = directory(revision);
        if (directory.isEmpty()) {
            return files;
        }
        var tree = http.get(trees(directory.get()) + "?recursive=true&per_page=" + (Forges.MOST_FILES + 1));
        for (var entry : tree.objects("tree")) {
            if (entry.string("type").equals("blob") && Forges.isYaml(entry.string("path"))) {
                var blob = http.get(repository() + "/git/blobs/" + encoded(entry.string("sha")));
                files.put(".tekton/" + entry.string("path"), decoded(blob));
                Forges.bounded(files);
            }
        }
        if (tree.flag("truncated")) {
            throw new IOException(".tekton has more files than the forge tells about");
        }
        return files;
    }

    private String trees(String sha) {
        return repository() + "/git/trees/" + encoded(sha);
    }

    /// The tree below `.tekton` only: of large repositories forges leave out a part.
    private Optional<String> directory(String revision) throws IOException, InterruptedException {
        for (int page = 1; page <= MOST_PAGES; page++) {
            var found = http.find(trees(revision) + (page == 1 ? "" : "?page=" + page));
            var top = found.orElse(Json.Obj.EMPTY);
            for (var entry : top.objects("tree")) {
                if (entry.string("path").equals(".tekton")) {
                    if (!entry.string("type").equals("tree")) {
                        throw new IOException(".tekton has been found but is not a directory");
                    }
                    return Optional.of(entry.string("sha"));
                }
            }
            if (!top.flag("truncated") || !isGitea()) {
                break;
            }
        }
        return Optional.empty();
    }

    private boolean isGitea() {
        return root.endsWith("/api/v1");
    }

    private static String decoded(Json.Obj blob) throws IOException {
        try {
            return new String(Base64.getMimeDecoder().decode(blob.string("content")), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IOException("a file of the repository is no base64", e);
        }
    }

    @Override
    public Optional<String> find(String path, String revision) throws IOException, InterruptedException {
        var found = http.find(repository() + "/contents/" + segments(path) + "?ref=" + encoded(revision));
        return found.isEmpty() ? Optional.empty() : Optional.of(decoded(found.get()));
    }

    private static String segments(String path) {
        return String.join(
                "/", List.of(path.split("/")).stream().map(Forges::encoded).toList());
    }

    @Override
    public ChangedFiles files(GitEvent event) throws IOException, InterruptedException {
        var files = new ChangedFiles.Builder();
        var found = event.isPush()
                ? http.get(repository() + (isGitea() ? "/git" : "") + "/commits/" + encoded(event.sha()))
                        .objects("files")
                : http.pages(repository() + "/pulls/" + event.pullRequest().orElse(0L) + "/files", MOST_PAGES, PAGE);
        found.forEach(file -> files.add(file.string("status"), file.string("filename")));
        return files.build();
    }

    @Override
    public GitEvent completed(GitEvent event) throws IOException, InterruptedException {
        if (event.isPush() && event.isComment()) {
            return onCommit(event);
        }
        if (event.isClosed()) {
            return event;
        }
        if (event.pullRequest().isEmpty()) {
            return event.sha().isEmpty() ? atHead(event) : event;
        }
        var change = event.change();
        if (event.sha().isEmpty()) {
            Payloads.ofPullRequest(
                    change,
                    http.get(repository() + "/pulls/" + event.pullRequest().get()));
            // Whoever comments is the one who asks.
            change.sender = event.sender();
        }
        var commit = http.find(repository() + "/git/commits/" + encoded(change.sha));
        commit.ifPresent(found -> {
            change.said(message(found));
            change.shaUrl = found.string("html_url");
        });
        return change.build();
    }

    // GitHub and Gitea put it into different places.
    private static String message(Json.Obj commit) {
        var said = commit.string("message");
        return said.isEmpty() ? commit.string("commit", "message") : said;
    }

    /// Somebody has asked for a branch, and not for a commit.
    private GitEvent atHead(GitEvent event) throws IOException, InterruptedException {
        var branch = http.find(repository() + "/branches/" + encoded(Forges.shortName(event.head())));
        var commit = branch.orElse(Json.Obj.EMPTY).object("commit");
        var change = event.change();
        change.sha = commit.string("sha").isEmpty() ? commit.string("id") : commit.string("sha");
        if (change.sha.isEmpty()) {
            throw new IOException(event.url() + " has no branch " + event.head());
        }
        change.said(message(commit));
        change.shaUrl = commit.string("html_url");
        change.defaultBranch = http.get(repository()).string("default_branch");
        return change.build();
    }

    private GitEvent onCommit(GitEvent event) throws IOException, InterruptedException {
        boolean isTag = event.base().startsWith("refs/tags/");
        var ref = Forges.shortName(event.base());
        var kind = isTag ? "tags" : "heads";
        var found = http.find(repository() + "/git/ref/" + kind + "/" + segments(ref));
        var head = found.orElse(Json.Obj.EMPTY).object("object");
        if (head.string("type").equals("tag")) {
            head = http.get(repository() + "/git/tags/" + encoded(head.string("sha")))
                    .object("object");
        }
        if (event.sha().isEmpty() || !head.string("sha").equals(event.sha())) {
            throw new IOException(
                    isTag
                            ? "provided SHA " + event.sha() + " is not the tagged commit for the tag " + ref
                            : "provided SHA " + event.sha() + " is not the HEAD commit of the branch " + ref);
        }
        return event;
    }

    @Override
    public boolean isTrusted(GitEvent event, String user) throws IOException, InterruptedException {
        if (owner.equals(user)) {
            return true;
        }
        // Who can make a branch here could push anyway.
        boolean isBranchHere = !event.isPush()
                && !event.headUrl().isEmpty()
                && event.headUrl().equals(event.baseUrl())
                && !event.head().equals(event.base())
                && isApp
                && !event.isComment();
        return isBranchHere
                || http.exists(repository() + "/collaborators/" + encoded(user))
                || http.isMember(root + "/orgs/" + encoded(owner) + "/members/" + encoded(user));
    }

    @Override
    public boolean isInTeams(String user, List<String> teams) throws IOException, InterruptedException {
        for (var team : teams) {
            var path = isGitea()
                    ? giteaTeam(team, user)
                    : Optional.of(root + "/orgs/" + encoded(owner) + "/teams/" + encoded(team) + "/memberships/"
                            + encoded(user));
            if (path.isPresent() && http.exists(path.get())) {
                return true;
            }
        }
        return false;
    }

    private Optional<String> giteaTeam(String team, String user) throws IOException, InterruptedException {
        return http.list(root + "/orgs/" + encoded(owner) + "/teams?limit=50").stream()
                .filter(each -> each.string("name").equals(team))
                .map(each -> root + "/teams/" + each.integer("id") + "/members/" + encoded(user))
                .findFirst();
    }

    @Override
    public List<Comment> comments(long pullRequest) throws IOException, InterruptedException {
        return http.pages(repository() + "/issues/" + pullRequest + "/comments", MOST_PAGES, PAGE).stream()
                .map(each -> new Comment(
                        String.valueOf(each.integer("id")), each.string("user", "login"), each.string("body")))
                .toList();
    }

    @Override
    public boolean isInOpenPullRequest(GitEvent push) throws IOException, InterruptedException {
        return !isGitea()
                && http.list(repository() + "/commits/" + encoded(push.sha()) + "/pulls").stream()
                        .anyMatch(pull -> pull.string("state").equals("open"));
    }

    @Override
    public String tell(Word word) throws IOException, InterruptedException {
        return isApp ? check(word) : status(word);
    }

    private String status(Word word) throws IOException, InterruptedException {
        var state = switch (word.state()) {
            case PENDING, RUNNING -> "pending";
            case SUCCESS, NEUTRAL -> "success";
            case FAILURE -> "failure";
            case CANCELLED -> "error";
        };
        var said = word.title();
        http.post(
                repository() + "/statuses/" + encoded(word.sha()),
                Json.Obj.builder()
                        .put("state", state)
                        .put("context", word.context())
                        .put(
                                "description",
                                said.length() > LONGEST_DESCRIPTION
                                        ? said.substring(0, LONGEST_DESCRIPTION - 3) + "..."
                                        : said)
                        .putNonEmpty("target_url", word.url())
                        .build());
        return "";
    }

    private String check(Word word) throws IOException, InterruptedException {
        var status =
                word.state().isOver() ? "completed" : word.state() == Word.State.RUNNING ? "in_progress" : "queued";
        var check = Json.Obj.builder()
                .put("name", word.context())
                .put("status", status)
                .putNonEmpty("external_id", word.run())
                .putNonEmpty("details_url", word.url())
                .put(
                        "output",
                        Json.Obj.builder()
                                .put("title", word.title())
                                .put("summary", word.summary())
                                .putNonEmpty("text", word.text())
                                .putNonEmpty("annotations", annotations(word))
                                .build());
        if (word.state().isOver()) {
            check.put("conclusion", conclusion(word.state()));
        }
        if (!word.checkRun().isEmpty()) {
            http.patch(repository() + "/check-runs/" + encoded(word.checkRun()), check.build());
            return word.checkRun();
        }
        var made = http.post(
                repository() + "/check-runs", check.put("head_sha", word.sha()).build());
        return made.has("id") ? String.valueOf(made.integer("id")) : "";
    }

    private static String conclusion(Word.State state) {
        return switch (state) {
            case SUCCESS -> "success";
            case FAILURE -> "failure";
            case CANCELLED -> "cancelled";
            case PENDING, RUNNING, NEUTRAL -> "neutral";
        };
    }

    private static Json.Arr annotations(Word word) {
        return new Json.Arr(word.findings().stream()
                .limit(MOST_FINDINGS)
                .<Json>map(finding -> Json.Obj.builder()
                        .put("path", finding.file())
                        .put("start_line", finding.line())
                        .put("end_line", finding.line())
                        .put("annotation_level", "failure")
                        .put("message", finding.message())
                        .build())
                .toList());
    }

    @Override
    public void comment(long pullRequest, String text, String marker) throws IOException, InterruptedException {
        var body = Json.Obj.of("body", Json.of(text));
        if (!marker.isEmpty()) {
            for (var older : comments(pullRequest)) {
                if (older.text().contains(marker) && isOurs(older)) {
                    http.patch(repository() + "/issues/comments/" + encoded(older.id()), body);
                    return;
                }
            }
        }
        http.post(repository() + "/issues/" + pullRequest + "/comments", body);
    }

    /// Others may write what they like, our marker among it. An App cannot ask for its own name.
    private boolean isOurs(Comment comment) throws IOException, InterruptedException {
        return isApp
                ? comment.author().endsWith("[bot]")
                : http.get(root + "/user").string("login").equals(comment.author());
    }
}
