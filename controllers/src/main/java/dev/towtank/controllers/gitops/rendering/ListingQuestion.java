package dev.towtank.controllers.gitops.rendering;

import dev.towtank.model.Json;
import java.util.List;

/// Which directories and files of a repository have certain names.
///
/// @param directories patterns as a git generator has them
/// @param files likewise
public record ListingQuestion(String repository, String commit, List<Json.Obj> directories, List<Json.Obj> files) {

    public ListingQuestion {
        directories = List.copyOf(directories);
        files = List.copyOf(files);
    }
}
