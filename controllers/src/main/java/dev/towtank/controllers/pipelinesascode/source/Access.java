package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.controllers.pipelinesascode.events.OpsComment;
import dev.towtank.controllers.pipelinesascode.runs.PacSettings;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Whether those who ask may let things run: by the Repository's policy, by the forge, by OWNERS, or because somebody
/// who may has said so.
final class Access {

    private final Resource repository;
    private final Forges forge;
    private final PacSettings settings;

    Access(Resource repository, Forges forge, PacSettings settings) {
        this.repository = repository;
        this.forge = forge;
        this.settings = settings;
    }

    boolean isAllowed(GitEvent event) throws IOException, InterruptedException {
        // Whoever has pushed may push; who comments on a commit need not.
        if (event.isPush() && !event.isComment()) {
            return true;
        }
        var policy = policy(event);
        if (policy.isPresent()) {
            var teams = policy.get().stream().filter(team -> !team.isEmpty()).toList();
            return (!teams.isEmpty() && forge.isInTeams(event.sender(), teams)) || isOwner(event, event.sender());
        }
        return isTrusted(event, event.sender()) || isApproved(event);
    }

    private boolean isTrusted(GitEvent event, String user) throws IOException, InterruptedException {
        return forge.isTrusted(event, user) || isOwner(event, user);
    }

    /// The teams that the Repository names for this; absent where it names none for anything.
    private Optional<List<String>> policy(GitEvent event) {
        var policy = repository.spec().object("settings", "policy");
        if (!repository.spec().object("settings").has("policy")
                || event.isPush()
                || event.type().startsWith("cancel")
                || event.type().equals(GitEvent.INCOMING)) {
            return Optional.empty();
        }
        boolean isAskedAgain =
                event.type().equals(OpsComment.OK_TO_TEST) || event.type().startsWith("retest");
        return Optional.of(
                policy.array(isAskedAgain ? "ok_to_test" : "pull_request").strings());
    }

    /// By somebody who may, in an earlier comment; only where the settings remember that.
    private boolean isApproved(GitEvent event) throws IOException, InterruptedException {
        if (!settings.remembersApprovals() || event.pullRequest().isEmpty() || event.isPush()) {
            return false;
        }
        var asked = new LinkedHashSet<String>();
        for (var comment : forge.comments(event.pullRequest().get())) {
            if (OpsComment.of(comment.text()).type().equals(OpsComment.OK_TO_TEST)) {
                asked.add(comment.author());
            }
        }
        for (var author : asked) {
            if (isTrustedAsAuthor(event, author)) {
                return true;
            }
        }
        return false;
    }

    private boolean isTrustedAsAuthor(GitEvent event, String author) throws IOException, InterruptedException {
        var comment = event.change();
        comment.type = OpsComment.OK_TO_TEST;
        return isTrusted(comment.build(), author);
    }

    /// The file OWNERS of the default branch names them, itself or by a name in OWNERS_ALIASES.
    private boolean isOwner(GitEvent event, String user) throws IOException, InterruptedException {
        if (event.defaultBranch().isEmpty()) {
            return false;
        }
        var owners = forge.find("OWNERS", event.defaultBranch());
        if (owners.isEmpty()) {
            return false;
        }
        var aliases = forge.find("OWNERS_ALIASES", event.defaultBranch()).orElse("");
        return owners(owners.get(), aliases).contains(user.toLowerCase(Locale.ROOT));
    }

    static Set<String> owners(String owners, String aliases) throws IOException {
        var names = new LinkedHashSet<String>();
        var file = object(owners, "OWNERS");
        var groups = object(aliases, "OWNERS_ALIASES").object("aliases");
        var lists = new ArrayList<>(List.of(file));
        // Only those for all files count.
        lists.add(file.object("filters", ".*"));
        for (var list : lists) {
            for (var field : List.of("approvers", "reviewers")) {
                for (var name : list.array(field).strings()) {
                    names.add(name.toLowerCase(Locale.ROOT));
                    groups.array(name).strings().forEach(each -> names.add(each.toLowerCase(Locale.ROOT)));
                }
            }
        }
        return names;
    }

    private static Json.Obj object(String text, String name) throws IOException {
        try {
            return !text.isBlank() && YamlText.parse(text) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
        } catch (JsonText.Malformed e) {
            throw new IOException("cannot parse " + name + ": " + e.getMessage(), e);
        }
    }
}
