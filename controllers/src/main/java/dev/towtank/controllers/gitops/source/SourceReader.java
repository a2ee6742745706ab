package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Outside;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.Rendering;
import dev.towtank.controllers.gitops.rendering.SourceFiles;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/// Reads the files of a source and makes its objects.
public final class SourceReader implements Outside.Reader<SourceQuestion, Manifests> {

    private final GitRepositories repositories;
    private final InstantSource clock;

    public SourceReader(GitRepositories repositories, InstantSource clock) {
        this.repositories = repositories;
        this.clock = clock;
    }

    @Override
    public Manifests read(SourceQuestion question) throws IOException {
        var others = new HashMap<String, Map<String, byte[]>>();
        for (var reference : question.references().entrySet()) {
            var place = reference.getValue();
            others.put(reference.getKey(), repositories.files(place.repository(), place.commit()));
        }
        var own = repositories.files(question.repository(), question.commit());
        return Rendering.render(question, new SourceFiles(own, others), clock.instant());
    }
}
