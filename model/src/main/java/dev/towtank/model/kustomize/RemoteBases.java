package dev.towtank.model.kustomize;

import dev.towtank.model.files.FileTree;

/// Where a resource that is a URL comes from. Building is pure, so whoever may reach the network brings this along.
@FunctionalInterface
public interface RemoteBases {

    /// Refuses every URL.
    RemoteBases NONE = url -> {
        throw new KustomizeError(
                "remote resource '" + url + "': nothing is fetched here; vendor it into the repository");
    };

    /// The files of somewhere else, and the folder or file of them that was named.
    record Base(FileTree files, String path) {}

    Base fetch(String url);
}
