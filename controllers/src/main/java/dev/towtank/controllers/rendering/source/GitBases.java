package dev.towtank.controllers.rendering.source;

import dev.towtank.model.files.FileTree;
import dev.towtank.model.kustomize.KustomizeError;
import dev.towtank.model.kustomize.RemoteBases;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/// Bases of kustomizations from git repositories, and single files from the web. Each is fetched once per build.
public final class GitBases implements RemoteBases {
    private static final int LARGEST_FILE = 16 << 20;

    private final WebFiles web = WebFiles.usual();
    private final Map<String, FileTree> fetched = new HashMap<>();
    private final GitFiles git;

    public GitBases(GitFiles git) {
        this.git = git;
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
