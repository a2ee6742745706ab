package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the interceptor `github` asks GitHub: which files a pull request changes, and whether its sender may start
/// something.
///
/// @param host of a server of one's own; empty for GitHub's
/// @param repository `owner/name`
record GitHubQuestions(GitHub gitHub, String host, String repository, String token) {

    private static final Pattern REPOSITORY = Pattern.compile("[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}");
    private static final Pattern GO = Pattern.compile("(^|\\n)/ok-to-test(\\r\\n|\\r|\\n|$)");
    private static final int PAGE = 100;
    private static final int MOST_PAGES = 30;

    /// @param token of the param that asks
    static GitHubQuestions of(Event event, Json.Obj body, GitHub gitHub, String token) throws EventRefusal {
        if (!(body.get("repository") instanceof Json.Obj)) {
            throw unreadable("payload body missing 'repository' field");
        }
        var repository = body.string("repository", "full_name");
        if (repository.isEmpty()) {
            throw unreadable("payload body missing 'repository.full_name' field");
        }
        if (!REPOSITORY.matcher(repository).matches() || repository.contains("..")) {
            throw unreadable("'repository.full_name' is no name of a repository");
        }
        return new GitHubQuestions(gitHub, hostOf(event, body), repository, token);
    }

    // The token goes there, and the header is not signed: so what is signed has to say the same.
    private static String hostOf(Event event, Json.Obj body) throws EventRefusal {
        var host = event.headers().first("X-Github-Enterprise-Host");
        if (host.isEmpty() || host.equals("github.com")) {
            return "";
        }
        boolean isOfBody = Stream.of("html_url", "clone_url", "url")
                .anyMatch(field -> hostIn(body.string("repository", field)).equals(host));
        if (!isOfBody) {
            throw new EventRefusal(
                    Code.FAILED_PRECONDITION,
                    "error making client: X-Github-Enterprise-Host is not where the repository of the event is");
        }
        return host;
    }

    private static String hostIn(String url) {
        try {
            return String.valueOf(URI.create(url).getAuthority());
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// The names of all files that a pull request changes.
    List<String> filesOf(Json.Obj body) throws EventRefusal {
        if (!(body.get("number") instanceof Json.Int(var number))) {
            throw unreadable("pull_request body missing 'number' field");
        }
        var files = new ArrayList<String>();
        pages("/repos/" + repository + "/pulls/" + number + "/files", "error getting changed files: ", file -> {
            files.add(file.string("filename"));
            return false;
        });
        return files;
    }

    /// @param type of the event
    void requireOwner(Json.Obj body, String type, String checkType) throws EventRefusal {
        var isComment = type.equals("issue_comment");
        if (!isComment && !(body.get("number") instanceof Json.Int)) {
            throw unreadable("pull_request body missing 'number' field");
        }
        if (isComment && !body.object("comment").has("body")) {
            throw unreadable("'body' field missing in the comment section of issue_comment body");
        }
        var sender = body.string("sender", "login");
        if (sender.isEmpty()) {
            throw unreadable("payload body missing 'sender' field");
        }
        boolean isAsked =
                !isComment || GO.matcher(body.string("comment", "body")).find();
        if (!isAsked || !isOwner(sender, checkType)) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, "owners check requirements not met");
        }
    }

    private boolean isOwner(String sender, String checkType) throws EventRefusal {
        Predicate<Json.Obj> isSender = user -> user.string("login").equals(sender);
        var doing = "error checking owner verification: ";
        boolean all = checkType.equals("all");
        if ((all || checkType.equals("orgMembers"))
                && pages(
                        "/orgs/" + repository.substring(0, repository.indexOf('/')) + "/public_members",
                        doing,
                        isSender)) {
            return true;
        }
        if ((all || checkType.equals("repoMembers"))
                && pages("/repos/" + repository + "/collaborators", doing, isSender)) {
            return true;
        }
        return isInOwnersFile(sender, doing);
    }

    private boolean isInOwnersFile(String sender, String doing) throws EventRefusal {
        var answer = gitHub.get(host, "/repos/" + repository + "/contents/OWNERS", token);
        if (answer.status() == 404) {
            return false;
        }
        if (answer.status() != 200 || !(answer.body() instanceof Json.Obj file)) {
            throw failed(doing, answer);
        }
        try {
            var text = new String(Base64.getMimeDecoder().decode(file.string("content")), StandardCharsets.UTF_8);
            return YamlText.parse(text) instanceof Json.Obj owners
                    && Stream.of("approvers", "reviewers")
                            .flatMap(role -> owners.array(role).strings().stream())
                            .anyMatch(sender::equalsIgnoreCase);
        } catch (IllegalArgumentException | JsonText.Malformed e) {
            throw new EventRefusal(Code.FAILED_PRECONDITION, doing + "the file OWNERS cannot be read");
        }
    }

    /// Goes through a list until somebody is found in it. Upstream looks at its first page.
    private boolean pages(String path, String doing, Predicate<Json.Obj> isFound) throws EventRefusal {
        for (int page = 1; page <= MOST_PAGES; page++) {
            var answer = gitHub.get(host, path + "?per_page=" + PAGE + "&page=" + page, token);
            if (answer.status() == 404 && path.startsWith("/orgs/")) {
                return false;
            }
            if (answer.status() != 200 || !(answer.body() instanceof Json.Arr items)) {
                throw failed(doing, answer);
            }
            if (items.objects().stream().anyMatch(isFound)) {
                return true;
            }
            if (items.size() < PAGE) {
                return false;
            }
        }
        throw new EventRefusal(Code.FAILED_PRECONDITION, doing + "there are more than " + PAGE * MOST_PAGES);
    }

    private EventRefusal failed(String doing, GitHub.Answer answer) {
        var why = answer.body() instanceof Json.Obj problem ? problem.string("message") : "";
        return new EventRefusal(
                Code.FAILED_PRECONDITION,
                doing + "GitHub answered " + answer.status() + " about " + repository
                        + (why.isEmpty() ? "" : ": " + why.substring(0, Math.min(200, why.length()))));
    }

    private static EventRefusal unreadable(String why) {
        return new EventRefusal(Code.FAILED_PRECONDITION, "error parsing body: " + why);
    }
}
