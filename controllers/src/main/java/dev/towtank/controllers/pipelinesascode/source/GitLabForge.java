package dev.towtank.controllers.pipelinesascode.source;

import static dev.towtank.controllers.pipelinesascode.source.Forges.encoded;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// GitLab.
///
/// @param project its address below the API
/// @param source the same, of where the change comes from
record GitLabForge(ForgeHttp http, String root, String project, String source) implements Forges {

    private static final int DEVELOPER = 30;
    private static final int MOST_PAGES = 30;
    private static final int PAGE = 100;

    @Override
    public Map<String, String> tekton(String revision) throws IOException, InterruptedException {
        var files = new LinkedHashMap<String, String>();
        var tree = http.pages(
                project + "/repository/tree?path=.tekton&recursive=true&ref=" + encoded(revision), MOST_PAGES, PAGE);
        for (var entry : tree) {
            if (entry.string("type").equals("blob") && Forges.isYaml(entry.string("path"))) {
                files.put(entry.string("path"), file(entry.string("path"), revision));
                Forges.bounded(files);
            }
        }
        return files;
    }

    @Override
    public Optional<String> find(String path, String revision) throws IOException, InterruptedException {
        return http.findText(project + "/repository/files/" + encoded(path) + "/raw?ref=" + encoded(revision));
    }

    @Override
    public ChangedFiles files(GitEvent event) throws IOException, InterruptedException {
        var files = new ChangedFiles.Builder();
        var found = event.isPush()
                ? http.pages(project + "/repository/commits/" + encoded(event.sha()) + "/diff", MOST_PAGES, PAGE)
                : http.pages(
                        project + "/merge_requests/" + event.pullRequest().orElse(0L) + "/diffs", MOST_PAGES, PAGE);
        for (var file : found) {
            var status = file.flag("new_file")
                    ? "added"
                    : file.flag("deleted_file") ? "removed" : file.flag("renamed_file") ? "renamed" : "modified";
            files.add(status, file.string("new_path"));
        }
        return files.build();
    }

    @Override
    public GitEvent completed(GitEvent event) throws IOException, InterruptedException {
        if (event.isPush() && event.isComment()) {
            boolean isTag = event.base().startsWith("refs/tags/");
            var ref = Forges.shortName(event.base());
            var found = http.find(project + "/repository/" + (isTag ? "tags/" : "branches/") + encoded(ref));
            if (event.sha().isEmpty()
                    || !found.orElse(Json.Obj.EMPTY).string("commit", "id").equals(event.sha())) {
                throw new IOException("provided SHA " + event.sha()
                        + (isTag ? " is not the tagged commit for the tag " : " is not the HEAD commit of the branch ")
                        + ref);
            }
        }
        return event.sha().isEmpty() && event.pullRequest().isEmpty() ? atHead(event) : event;
    }

    /// Somebody has asked for a branch, and not for a commit.
    private GitEvent atHead(GitEvent event) throws IOException, InterruptedException {
        var commit = http.find(project + "/repository/commits/" + encoded(Forges.shortName(event.head())))
                .orElseThrow(() -> new IOException(event.url() + " has no branch " + event.head()));
        var change = event.change();
        change.sha = commit.string("id");
        change.said(commit.string("message"));
        change.shaUrl = commit.string("web_url");
        change.defaultBranch = http.get(project).string("default_branch");
        return change.build();
    }

    @Override
    public boolean isTrusted(GitEvent event, String user) throws IOException, InterruptedException {
        for (var known : http.list(root + "/users?username=" + encoded(user))) {
            var member = http.find(project + "/members/all/" + known.integer("id"));
            if (member.orElse(Json.Obj.EMPTY).integer("access_level") >= DEVELOPER) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isInTeams(String user, List<String> teams) throws IOException {
        throw new IOException("settings.policy is for GitHub and Gitea: GitLab has no teams");
    }

    @Override
    public List<Comment> comments(long pullRequest) throws IOException, InterruptedException {
        return http.pages(project + "/merge_requests/" + pullRequest + "/notes", MOST_PAGES, PAGE).stream()
                .map(each -> new Comment(
                        String.valueOf(each.integer("id")), each.string("author", "username"), each.string("body")))
                .toList();
    }

    @Override
    public boolean isInOpenPullRequest(GitEvent push) {
        return false;
    }

    @Override
    public String tell(Word word) throws IOException, InterruptedException {
        var state = switch (word.state()) {
            case PENDING -> "pending";
            case RUNNING -> "running";
            case SUCCESS -> "success";
            case FAILURE -> "failed";
            case CANCELLED, NEUTRAL -> "canceled";
        };
        var status = Json.Obj.builder()
                .put("state", state)
                .put("name", word.context())
                .put("description", description(word))
                .putNonEmpty("target_url", word.url())
                .build();
        var problem = told(source, word.sha(), status);
        if (problem.isPresent() && !source.equals(project)) {
            // Whoever may write into the one copy may not into the other.
            problem = told(project, word.sha(), status).isEmpty() ? Optional.empty() : problem;
        }
        if (problem.isPresent()) {
            throw new Untold(problem.get());
        }
        return "";
    }

    private static String description(Word word) {
        return switch (word.state()) {
            case PENDING, RUNNING -> word.title();
            case SUCCESS -> "successfully validated your commit";
            case FAILURE -> "failed";
            case CANCELLED -> "cancelled validating this commit";
            case NEUTRAL -> "stopped";
        };
    }

    /// Why it is not; absent where it is told.
    private Optional<String> told(String where, String sha, Json.Obj status) throws IOException, InterruptedException {
        try {
            http.post(where + "/statuses/" + encoded(sha), status);
            return Optional.empty();
        } catch (IOException e) {
            var why = String.valueOf(e.getMessage());
            if (!why.startsWith("the forge answered 4")) {
                throw e;
            }
            // It says the same already.
            return why.contains("Cannot transition status") ? Optional.empty() : Optional.of(why);
        }
    }

    @Override
    public void comment(long pullRequest, String text, String marker) throws IOException, InterruptedException {
        var body = Json.Obj.of("body", Json.of(text));
        var notes = project + "/merge_requests/" + pullRequest + "/notes";
        if (!marker.isEmpty()) {
            for (var older : comments(pullRequest)) {
                if (older.text().contains(marker)
                        && http.get(root + "/user").string("username").equals(older.author())) {
                    http.put(notes + "/" + encoded(older.id()), body);
                    return;
                }
            }
        }
        http.post(notes, body);
    }
}
