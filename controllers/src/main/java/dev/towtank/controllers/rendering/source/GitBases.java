package dev.towtank.controllers.rendering.source;

import dev.towtank.model.files.FileTree;
import dev.towtank.model.kustomize.KustomizeError;
import dev.towtank.model.kustomize.RemoteBases;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Bases of kustomizations from git repositories, and single files from the web. Each is fetched once per build.
public final class GitBases implements RemoteBases {
    private static final int LARGEST_FILE = 16 << 20;

    private final Map<String, FileTree> fetched = new HashMap<>();
    private final Repositories git;
    private final WebFiles web;

    /// Where the files of a repository come from.
    @FunctionalInterface
    public interface Repositories {
        /// @param revision a branch, a tag or a whole commit; empty for what the repository shows by itself
        /// @throws IOException for people, without names and passwords
        Map<String, byte[]> read(String repository, String revision) throws IOException;
    }

    /// @param authorities certificates in PEM that count for a host beside those of the machine; empty for none
    public GitBases(Repositories git, UnaryOperator<String> authorities) {
        this.git = git;
        this.web = new WebFiles(authorities);
    }

    @Override
    public Base fetch(String url) {
        try {
            if (url.matches("https?://[^?]*\\.(ya?ml|json)")
                    && !url.substring(8).contains("//")) {
                var place = URI.create(url);
                var text = ChartIndex.good(place, web.get(place, Map.of(), LARGEST_FILE));
                return new Base(FileTree.of(Map.of("file.yaml", text)), "file.yaml");
            }
            var address = GitAddress.of(url);
            var key = address.repository() + " " + address.revision();
            var tree = fetched.get(key);
            if (tree == null) {
                tree = FileTree.of(git.read(address.repository(), address.revision()));
                fetched.put(key, tree);
            }
            return new Base(tree, address.path());
        } catch (IOException | IllegalArgumentException e) {
            throw new KustomizeError("remote resource '" + GitAddress.shown(url) + "' cannot be fetched: "
                    + GitAddress.shown(String.valueOf(e.getMessage())));
        }
    }
}
