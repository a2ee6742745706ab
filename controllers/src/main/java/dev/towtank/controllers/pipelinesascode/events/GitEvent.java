package dev.towtank.controllers.pipelinesascode.events;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What happened in a repository, whoever told it.
///
/// @param forge who told it
/// @param target what it is about: push or pull_request
/// @param type as it is shown: push, pull_request, incoming, or what a comment asks for
/// @param url of the repository, as people see it
/// @param base the branch that it goes to; of a push the whole ref
/// @param pullRequest its number
/// @param isClosed whether a pull request has ended
/// @param files what has changed, where the event itself says so
/// @param wanted the only run that is meant, where one is
/// @param values that a comment gives for params
/// @param shaMessage all that the commit says about itself; empty where nobody told
/// @param sourceProject by which GitLab knows where a merge request comes from; zero elsewhere
/// @param installation of the GitHub App that tells this; zero for a webhook
public record GitEvent(
        Forge forge,
        String target,
        String type,
        String url,
        String owner,
        String name,
        String defaultBranch,
        String sha,
        String shaTitle,
        String shaMessage,
        String shaUrl,
        String base,
        String head,
        String baseUrl,
        String headUrl,
        String sender,
        Optional<Long> pullRequest,
        String title,
        List<String> labels,
        boolean isClosed,
        String comment,
        Optional<String> wanted,
        Map<String, String> values,
        Optional<ChangedFiles> files,
        long installation,
        long sourceProject,
        Json.Obj body,
        Map<String, String> headers) {

    /// Who tells about repositories.
    public enum Forge {
        GITHUB("github"),
        GITEA("gitea"),
        GITLAB("gitlab"),
        /// This machine.
        LOCAL("local");

        private final String wire;

        Forge(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    public static final String PUSH = "push";
    public static final String PULL_REQUEST = "pull_request";
    public static final String LABELED = "pull_request_labeled";
    public static final String INCOMING = "incoming";

    public GitEvent {
        labels = List.copyOf(labels);
        values = Map.copyOf(values);
        headers = Map.copyOf(headers);
    }

    public boolean isPush() {
        return target.equals(PUSH);
    }

    /// Whether somebody asked for it in a comment.
    public boolean isComment() {
        return type.endsWith("-comment");
    }

    /// For what is made field by field.
    public static Builder of(Forge forge, Json.Obj body, Map<String, String> headers) {
        return new Builder(forge, body, headers);
    }

    public Builder change() {
        var builder = new Builder(forge, body, headers);
        builder.target = target;
        builder.type = type;
        builder.url = url;
        builder.owner = owner;
        builder.name = name;
        builder.defaultBranch = defaultBranch;
        builder.sha = sha;
        builder.shaTitle = shaTitle;
        builder.shaMessage = shaMessage;
        builder.shaUrl = shaUrl;
        builder.base = base;
        builder.head = head;
        builder.baseUrl = baseUrl;
        builder.headUrl = headUrl;
        builder.sender = sender;
        builder.pullRequest = pullRequest;
        builder.title = title;
        builder.labels = labels;
        builder.isClosed = isClosed;
        builder.comment = comment;
        builder.wanted = wanted;
        builder.values = values;
        builder.files = files;
        builder.installation = installation;
        builder.sourceProject = sourceProject;
        return builder;
    }

    /// Collects what is known.
    public static final class Builder {
        private final Forge forge;
        private final Json.Obj body;
        private final Map<String, String> headers;
        public String target = PUSH;
        public String type = PUSH;
        public String url = "";
        public String owner = "";
        public String name = "";
        public String defaultBranch = "";
        public String sha = "";
        public String shaTitle = "";
        public String shaMessage = "";
        public String shaUrl = "";
        public String base = "";
        public String head = "";
        public String baseUrl = "";
        public String headUrl = "";
        public String sender = "";
        public Optional<Long> pullRequest = Optional.empty();
        public String title = "";
        public List<String> labels = List.of();
        public boolean isClosed;
        public String comment = "";
        public Optional<String> wanted = Optional.empty();
        public Map<String, String> values = Map.of();
        public Optional<ChangedFiles> files = Optional.empty();
        public long installation;
        public long sourceProject;

        /// What a commit says about itself: its first paragraph is its title.
        public void said(String message) {
            shaMessage = message;
            shaTitle = message.split("\n\n", 2)[0];
        }

        private Builder(Forge forge, Json.Obj body, Map<String, String> headers) {
            this.forge = forge;
            this.body = body;
            this.headers = headers;
        }

        public GitEvent build() {
            return new GitEvent(
                    forge,
                    target,
                    type,
                    url,
                    owner,
                    name,
                    defaultBranch,
                    sha,
                    shaTitle,
                    shaMessage,
                    shaUrl,
                    base,
                    head,
                    baseUrl,
                    headUrl,
                    sender,
                    pullRequest,
                    title,
                    labels,
                    isClosed,
                    comment,
                    wanted,
                    values,
                    files,
                    installation,
                    sourceProject,
                    body,
                    headers);
        }
    }
}
