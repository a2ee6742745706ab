package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Outside;
import dev.towtank.controllers.git.source.GitRepositories;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.RevisionQuestion;
import dev.towtank.controllers.gitops.rendering.SourceFiles;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.controllers.gitops.rendering.SourceRendering;
import dev.towtank.controllers.rendering.source.ChartStore;
import dev.towtank.controllers.rendering.source.GitBases;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Reads the files of a source, out of a git repository or a repository of charts, and makes its objects.
public final class SourceReader implements Outside.Reader<SourceQuestion, Manifests> {

    private final GitRepositories repositories;
    private final Supplier<ChartStore> charts;
    private final UnaryOperator<String> authorities;
    private final InstantSource clock;

    /// @param charts made when the first chart is asked for
    /// @param authorities certificates in PEM that count for a host beside those of the machine; empty for none
    public SourceReader(
            GitRepositories repositories,
            Supplier<ChartStore> charts,
            UnaryOperator<String> authorities,
            InstantSource clock) {
        this.repositories = repositories;
        this.charts = charts;
        this.authorities = authorities;
        this.clock = clock;
    }

    /// The commit or the version that a name means now.
    public String revision(RevisionQuestion question) throws IOException {
        return question.chart().isEmpty()
                ? repositories.commit(question.repository(), question.revision())
                : charts.get().version(address(question.repository()), question.chart(), question.revision());
    }

    /// Argo CD writes the address of a registry without its scheme.
    private static String address(String repository) {
        return repository.contains("://") ? repository : "oci://" + repository;
    }

    @Override
    public Manifests read(SourceQuestion question) throws IOException {
        var others = new HashMap<String, Map<String, byte[]>>();
        for (var reference : question.references().entrySet()) {
            var place = reference.getValue();
            others.put(reference.getKey(), repositories.files(place.repository(), place.commit()));
        }
        return SourceRendering.render(
                question, new SourceFiles(own(question), others), bases(question), clock.instant());
    }

    /// Who reads another machine's repository must not be led to those of this one.
    private GitBases bases(SourceQuestion question) {
        boolean isLocal = question.repository().startsWith("file://");
        return new GitBases(
                (repository, revision) -> {
                    if (repository.startsWith("file://") && !isLocal) {
                        throw new IOException("a base on this machine is for sources on this machine alone");
                    }
                    var wanted = revision.isEmpty() ? "HEAD" : revision;
                    return repositories.files(repository, repositories.commit(repository, wanted));
                },
                authorities);
    }

    private Map<String, byte[]> own(SourceQuestion question) throws IOException {
        var chart = question.source().string("chart");
        return chart.isEmpty()
                ? repositories.files(question.repository(), question.commit())
                : charts.get().files(address(question.repository()), chart, question.commit());
    }
}
