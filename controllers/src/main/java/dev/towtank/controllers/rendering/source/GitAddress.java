package dev.towtank.controllers.rendering.source;

import dev.towtank.model.kustomize.KustomizeError;
import java.util.regex.Pattern;

/// What a kustomization calls a base elsewhere: a repository, a folder in it, and a branch, tag or commit.
///
/// @param revision empty for what the repository shows by itself
record GitAddress(String repository, String path, String revision) {
    private static final Pattern SCHEME = Pattern.compile("^(?:git::)?((?:https?|ssh|git|file)://)(.*)$");
    private static final Pattern SHORT = Pattern.compile("^(?:git@)?([A-Za-z0-9.-]+\\.[a-z]+)[:/](.*)$");

    static GitAddress of(String text) {
        int question = text.indexOf('?');
        var place = question < 0 ? text : text.substring(0, question);
        var revision = "";
        for (var part :
                question < 0 ? new String[0] : text.substring(question + 1).split("&", -1)) {
            var pair = part.split("=", 2);
            if (pair.length == 2 && (pair[0].equals("ref") || pair[0].equals("version"))) {
                revision = pair[1];
            } else if (!pair[0].equals("submodules") && !pair[0].equals("timeout")) {
                throw new KustomizeError("remote resource '" + shown(text) + "': " + pair[0] + " is not known");
            }
        }
        if (!revision.matches("[A-Za-z0-9._/-]*") || revision.startsWith("-") || revision.contains("..")) {
            throw new KustomizeError("remote resource '" + shown(text) + "' has no usable ref");
        }
        return split(text, place, revision);
    }

    private static GitAddress split(String text, String place, String revision) {
        var scheme = SCHEME.matcher(place);
        if (scheme.matches()) {
            return divided(text, scheme.group(1), scheme.group(2), revision);
        }
        var shorter = SHORT.matcher(place);
        if (shorter.matches()) {
            boolean isSsh = place.startsWith("git@");
            return divided(
                    text, isSsh ? "ssh://git@" : "https://", shorter.group(1) + "/" + shorter.group(2), revision);
        }
        throw new KustomizeError("remote resource '" + shown(text) + "' is no address of a repository");
    }

    // Two slashes say where the repository ends, or `.git` does; else it is the first two parts behind the host.
    private static GitAddress divided(String text, String scheme, String rest, String revision) {
        int twice = rest.indexOf("//");
        if (twice >= 0) {
            return new GitAddress(scheme + rest.substring(0, twice), folder(text, rest.substring(twice + 2)), revision);
        }
        int git = rest.indexOf(".git/");
        if (git >= 0) {
            return new GitAddress(scheme + rest.substring(0, git + 4), folder(text, rest.substring(git + 5)), revision);
        }
        if (scheme.equals("file://") || rest.endsWith(".git")) {
            return new GitAddress(scheme + rest, "", revision);
        }
        var parts = rest.split("/", 4);
        if (parts.length < 3) {
            throw new KustomizeError("remote resource '" + shown(text) + "' is no address of a repository");
        }
        var repository = scheme + parts[0] + "/" + parts[1] + "/" + parts[2];
        return new GitAddress(repository, parts.length > 3 ? folder(text, parts[3]) : "", revision);
    }

    private static String folder(String text, String path) {
        var bare = path.replaceFirst("^/+", "").replaceFirst("/+$", "");
        for (var part : bare.split("/", -1)) {
            if (part.equals("..")) {
                throw new KustomizeError("remote resource '" + shown(text) + "' leads out of its repository");
            }
        }
        return bare;
    }

    static String shown(String text) {
        return text.replaceAll("://[^/@\\s]+@", "://");
    }
}
