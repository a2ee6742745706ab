package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Outside;
import dev.towtank.controllers.git.source.GitRepositories;
import dev.towtank.controllers.gitops.rendering.Listing;
import dev.towtank.controllers.gitops.rendering.ListingQuestion;
import java.io.IOException;

/// Finds directories and files in repositories.
public record ListingReader(GitRepositories repositories) implements Outside.Reader<ListingQuestion, Listing> {

    @Override
    public Listing read(ListingQuestion question) throws IOException {
        try {
            return Listing.of(question, repositories.files(question.repository(), question.commit()));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
