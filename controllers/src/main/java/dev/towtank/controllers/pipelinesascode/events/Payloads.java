package dev.towtank.controllers.pipelinesascode.events;

import dev.towtank.controllers.pipelinesascode.events.GitEvent.Forge;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads what forges send.
public final class Payloads {

    private static final Set<String> ACTIONS = Set.of(
            "opened",
            "synchronize",
            "synchronized",
            "reopened",
            "ready_for_review",
            "labeled",
            "label_updated",
            "closed");

    private Payloads() {}

    /// The event is none that anything runs for; the message says why.
    public static final class Unsupported extends Exception {
        private static final long serialVersionUID = 1;

        public Unsupported(String message) {
            super(message, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    /// @param headers with names in lower case
    public static Optional<Forge> forge(Map<String, String> headers) {
        if (headers.containsKey("x-gitea-event-type") || headers.containsKey("x-forgejo-event-type")) {
            return Optional.of(Forge.GITEA);
        }
        if (headers.containsKey("x-github-event")) {
            return Optional.of(Forge.GITHUB);
        }
        return headers.containsKey("x-gitlab-event") ? Optional.of(Forge.GITLAB) : Optional.empty();
    }

    public static GitEvent read(Forge forge, Json.Obj body, Map<String, String> headers) throws Unsupported {
        var event = GitEvent.of(forge, body, headers);
        return switch (forge) {
            case GITHUB -> github(event, body, headers.getOrDefault("x-github-event", ""));
            case GITEA ->
                github(
                        event,
                        body,
                        headers.getOrDefault("x-gitea-event-type", headers.getOrDefault("x-forgejo-event-type", "")));
            case GITLAB -> gitlab(event, body, headers.getOrDefault("x-gitlab-event", ""));
            case LOCAL -> throw new Unsupported("nobody tells about this machine");
        };
    }

    // Gitea and Forgejo speak as GitHub does.
    private static GitEvent github(GitEvent.Builder event, Json.Obj body, String type) throws Unsupported {
        repository(event, body.object("repository"));
        event.sender = login(body.object("sender"));
        event.installation = body.object("installation").integer("id");
        switch (type) {
            case "push" -> push(event, body);
            case "pull_request", "pull_request_sync", "pull_request_label" -> pullRequest(event, body);
            case "issue_comment", "pull_request_comment" -> comment(event, body);
            case "commit_comment" -> commitComment(event, body);
            case "check_run" -> again(event, body, body.object("check_run", "check_suite"), type);
            case "check_suite" -> again(event, body, body.object("check_suite"), type);
            default -> throw new Unsupported("skipping non supported event: event " + type + " is not supported");
        }
        return event.build();
    }

    private static void repository(GitEvent.Builder event, Json.Obj repository) throws Unsupported {
        if (repository.size() == 0) {
            throw new Unsupported("error parsing payload the repository should not be nil");
        }
        event.url = repository.string("html_url");
        event.name = repository.string("name");
        event.owner = login(repository.object("owner"));
        event.defaultBranch = repository.string("default_branch");
        event.baseUrl = event.url;
        event.headUrl = event.url;
    }

    private static String login(Json.Obj user) {
        for (var field : List.of("login", "username", "name")) {
            if (!user.string(field).isEmpty()) {
                return user.string(field);
            }
        }
        return "";
    }

    private static void push(GitEvent.Builder event, Json.Obj body) throws Unsupported {
        if (isZero(body.string("after"))) {
            throw new Unsupported("branch " + body.string("ref") + " has been deleted, exiting");
        }
        var commit = body.object("head_commit");
        event.sha = commit.string("id").isEmpty() ? body.string("after") : commit.string("id");
        event.said(commit.string("message"));
        event.shaUrl = commit.string("url");
        event.base = body.string("ref");
        event.head = event.base;
        event.files = files(body.objects("commits"));
    }

    private static boolean isZero(String sha) {
        return !sha.isEmpty() && sha.chars().allMatch(c -> c == '0');
    }

    private static Optional<ChangedFiles> files(List<Json.Obj> commits) {
        if (commits.isEmpty()) {
            return Optional.empty();
        }
        var files = new ChangedFiles.Builder();
        for (var commit : commits) {
            for (var status : List.of("added", "modified", "removed")) {
                commit.array(status).strings().forEach(file -> files.add(status, file));
            }
        }
        return Optional.of(files.build());
    }

    private static void pullRequest(GitEvent.Builder event, Json.Obj body) throws Unsupported {
        var action = body.string("action");
        if (!ACTIONS.contains(action)) {
            throw new Unsupported("pull_request: unsupported action \"" + action + "\"");
        }
        event.target = GitEvent.PULL_REQUEST;
        event.type = action.startsWith("label") ? GitEvent.LABELED : GitEvent.PULL_REQUEST;
        event.isClosed = action.equals("closed");
        ofPullRequest(event, body.object("pull_request"));
    }

    /// Of the object that the API calls a pull request.
    public static void ofPullRequest(GitEvent.Builder event, Json.Obj pull) {
        event.pullRequest = Optional.of(pull.integer("number"));
        event.title = pull.string("title");
        event.sha = pull.string("head", "sha");
        event.shaTitle = pull.string("title");
        event.shaUrl = pull.string("html_url") + "/commits/" + event.sha;
        event.head = pull.string("head", "ref");
        event.base = pull.string("base", "ref");
        event.headUrl = pull.string("head", "repo", "html_url");
        event.baseUrl = pull.string("base", "repo", "html_url");
        event.labels = pull.objects("labels").stream()
                .map(label -> label.string("name"))
                .toList();
        var author = login(pull.object("user"));
        event.sender = author.isEmpty() ? event.sender : author;
    }

    private static void comment(GitEvent.Builder event, Json.Obj body) throws Unsupported {
        if (!body.string("action").equals("created")) {
            throw new Unsupported("only newly created comment is supported, received: " + body.string("action"));
        }
        var issue = body.object("issue");
        if (!issue.has("pull_request") && !body.flag("is_pull")) {
            throw new Unsupported("issue comment is not coming from a pull_request");
        }
        if (issue.string("state").equals("closed")) {
            throw new Unsupported("comments on closed pull requests is not supported");
        }
        event.target = GitEvent.PULL_REQUEST;
        event.pullRequest = Optional.of(issue.integer("number"));
        commented(event, body.string("comment", "body"));
    }

    private static OpsComment commented(GitEvent.Builder event, String text) {
        var asked = OpsComment.of(text);
        event.type = asked.type();
        event.wanted = asked.name();
        event.values = asked.values();
        event.comment = text;
        return asked;
    }

    /// On a commit that was pushed: the forge is asked later whether it is the head of the branch.
    private static void commitComment(GitEvent.Builder event, Json.Obj body) {
        event.sha = body.string("comment", "commit_id");
        onCommit(event, commented(event, body.string("comment", "body")));
    }

    private static void onCommit(GitEvent.Builder event, OpsComment asked) {
        event.target = GitEvent.PUSH;
        event.base = asked.ref().orElse("refs/heads/" + event.defaultBranch);
        event.head = event.base;
    }

    /// Somebody pressed the button of a GitHub App's check.
    private static void again(GitEvent.Builder event, Json.Obj body, Json.Obj suite, String type) throws Unsupported {
        if (!body.string("action").equals("rerequested")) {
            throw new Unsupported("only issue recheck is supported in checkrunevent");
        }
        if (event.installation == 0) {
            throw new Unsupported(type.replace('_', ' ') + " rerequest is only supported with github apps integration");
        }
        event.sha = suite.string("head_sha");
        var pulls = suite.objects("pull_requests");
        if (pulls.isEmpty()) {
            event.base = "refs/heads/" + suite.string("head_branch");
            event.head = event.base;
            return;
        }
        event.target = GitEvent.PULL_REQUEST;
        event.type = GitEvent.PULL_REQUEST;
        event.pullRequest = Optional.of(pulls.getFirst().integer("number"));
        // The rest the forge knows.
        event.sha = "";
    }

    private static GitEvent gitlab(GitEvent.Builder event, Json.Obj body, String type) throws Unsupported {
        var project = body.object("project");
        event.url = project.string("web_url");
        event.defaultBranch = project.string("default_branch");
        var path = project.string("path_with_namespace");
        int slash = path.lastIndexOf('/');
        event.owner = slash < 0 ? "" : path.substring(0, slash);
        event.name = path.substring(slash + 1);
        event.baseUrl = event.url;
        event.headUrl = event.url;
        event.sender =
                body.string("user_username").isEmpty() ? body.string("user", "username") : body.string("user_username");
        switch (type) {
            case "Push Hook", "Tag Push Hook" -> gitlabPush(event, body);
            case "Merge Request Hook" -> mergeRequest(event, body);
            case "Note Hook" -> note(event, body);
            default -> throw new Unsupported("skipping non supported event: event " + type + " is not supported");
        }
        return event.build();
    }

    private static void gitlabPush(GitEvent.Builder event, Json.Obj body) throws Unsupported {
        if (isZero(body.string("after"))) {
            throw new Unsupported("branch " + body.string("ref") + " has been deleted, exiting");
        }
        // Of a tag with words of its own the first is the commit, and the second the tag itself.
        event.sha = body.string("checkout_sha").isEmpty() ? body.string("after") : body.string("checkout_sha");
        event.base = body.string("ref");
        event.head = event.base;
        var commits = body.objects("commits");
        commits.stream()
                .filter(commit -> commit.string("id").equals(event.sha))
                .findFirst()
                .ifPresent(commit -> {
                    event.said(commit.string("message"));
                    event.shaUrl = commit.string("url");
                });
        event.files = files(commits);
    }

    private static void mergeRequest(GitEvent.Builder event, Json.Obj body) throws Unsupported {
        var action = body.string("object_attributes", "action");
        // An update without a new commit is about words or labels.
        boolean isLabeled = body.object("changes").has("labels");
        if (!List.of("open", "reopen", "update", "close", "merge").contains(action)
                || (action.equals("update") && !body.object("object_attributes").has("oldrev") && !isLabeled)) {
            throw new Unsupported("not a merge event we care about: \"" + action + "\"");
        }
        event.target = GitEvent.PULL_REQUEST;
        event.type = isLabeled ? GitEvent.LABELED : GitEvent.PULL_REQUEST;
        event.isClosed = action.equals("close") || action.equals("merge");
        ofMergeRequest(event, body.object("object_attributes"));
        event.labels = titles(body);
    }

    private static List<String> titles(Json.Obj labelled) {
        return labelled.objects("labels").stream()
                .map(label -> label.string("title"))
                .toList();
    }

    private static void ofMergeRequest(GitEvent.Builder event, Json.Obj request) {
        event.pullRequest = Optional.of(request.integer("iid"));
        event.title = request.string("title");
        event.sha = request.string("last_commit", "id");
        event.said(request.string("last_commit", "message"));
        event.shaUrl = request.string("last_commit", "url");
        event.head = request.string("source_branch");
        event.base = request.string("target_branch");
        event.headUrl = request.string("source", "web_url");
        event.baseUrl = request.string("target", "web_url");
        event.sourceProject = request.integer("source_project_id");
    }

    private static void note(GitEvent.Builder event, Json.Obj body) throws Unsupported {
        if (body.has("commit")) {
            event.sha = body.string("commit", "id");
            event.said(body.string("commit", "message"));
            event.shaUrl = body.string("commit", "url");
            onCommit(event, commented(event, body.string("object_attributes", "note")));
            return;
        }
        if (!body.has("merge_request")) {
            throw new Unsupported("issue comment is not coming from a pull_request");
        }
        if (!body.string("merge_request", "state").equals("opened")) {
            throw new Unsupported("comments on closed merge requests is not supported");
        }
        event.target = GitEvent.PULL_REQUEST;
        ofMergeRequest(event, body.object("merge_request"));
        event.labels = titles(body.object("merge_request"));
        commented(event, body.string("object_attributes", "note"));
    }
}
