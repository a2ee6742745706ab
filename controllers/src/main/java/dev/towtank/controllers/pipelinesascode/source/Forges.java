package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.controllers.pipelinesascode.events.ChangedFiles;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is asked of forges, and told to them.
sealed interface Forges permits GitHubForge, GitLabForge {

    int MOST_FILES = 1000;
    int MOST_BYTES = 8 << 20;

    /// Every YAML file below `.tekton`, by path; nothing where there is no such directory.
    Map<String, String> tekton(String revision) throws IOException, InterruptedException;

    /// Nothing where there is no such file.
    Optional<String> find(String path, String revision) throws IOException, InterruptedException;

    default String file(String path, String revision) throws IOException, InterruptedException {
        return find(path, revision)
                .orElseThrow(() -> new IOException("the repository has no " + path + " at " + revision));
    }

    ChangedFiles files(GitEvent event) throws IOException, InterruptedException;

    /// The event with what only the forge knows about its pull request or commit.
    GitEvent completed(GitEvent event) throws IOException, InterruptedException;

    /// Whether somebody may let things run here.
    boolean isTrusted(GitEvent event, String user) throws IOException, InterruptedException;

    /// Whether somebody is in one of these teams; one that is not there makes it false.
    boolean isInTeams(String user, List<String> teams) throws IOException, InterruptedException;

    /// Comments that are there on a pull request, with their authors.
    List<Comment> comments(long pullRequest) throws IOException, InterruptedException;

    record Comment(String id, String author, String text) {}

    /// Whether the commit of a push is in a pull request that is open, which runs anyway.
    boolean isInOpenPullRequest(GitEvent push) throws IOException, InterruptedException;

    /// @return by which it is told more about the same later; empty where that needs nothing
    /// @throws Untold nobody but who reads comments can be told
    String tell(Word word) throws IOException, InterruptedException;

    /// The forge takes no word about the commit from us, as for one of somebody else's copy of the repository.
    final class Untold extends IOException {
        private static final long serialVersionUID = 1;

        Untold(String why) {
            super(why);
        }
    }

    /// @param marker a text in an older comment that this one replaces; empty to write a new one
    void comment(long pullRequest, String text, String marker) throws IOException, InterruptedException;

    static Forges of(GitEvent event, String api, ForgeHttp http, boolean isApp) {
        var root = root(event.forge(), api);
        if (event.forge() != GitEvent.Forge.GITLAB) {
            return new GitHubForge(http, root, event.owner(), event.name(), isApp);
        }
        var project = root + "/projects/" + encoded(event.owner() + "/" + event.name());
        return new GitLabForge(
                http, root, project, event.sourceProject() > 0 ? root + "/projects/" + event.sourceProject() : project);
    }

    static String root(GitEvent.Forge forge, String address) {
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

    static boolean isYaml(String path) {
        return path.endsWith(".yaml") || path.endsWith(".yml");
    }

    static void bounded(Map<String, String> files) throws IOException {
        long size = files.values().stream().mapToLong(String::length).sum();
        if (files.size() > MOST_FILES || size > MOST_BYTES) {
            throw new IOException(
                    ".tekton is too large: at most " + MOST_FILES + " files and " + MOST_BYTES + " bytes");
        }
    }

    /// Of a branch or tag, without what says which it is.
    static String shortName(String ref) {
        return ref.replaceFirst("^refs/(heads|tags)/", "");
    }
}
