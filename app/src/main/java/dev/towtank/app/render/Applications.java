package dev.towtank.app.render;

import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.SourceFiles;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.controllers.gitops.rendering.SourceRendering;
import dev.towtank.controllers.rendering.source.ChartFiles;
import dev.towtank.controllers.rendering.source.GitBases;
import dev.towtank.controllers.rendering.source.WorkingTree;
import dev.towtank.model.Json;
import dev.towtank.model.helm.Rendered;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The objects of Argo CD's Applications. What is in the repository that the file lies in is read as it is there, with
/// what
/// was not committed yet; all else is fetched.
public final class Applications {
    private final Remotes remotes;
    private final Place place;
    private final GitBases bases;
    private final Instant now;
    private final Map<String, Map<String, byte[]>> read = new HashMap<>();

    /// Which repository is at hand, and how it is read.
    ///
    /// @param isEvery whether it stands for whichever repository an Application names
    /// @param revision in place of what lies in its folder; empty for that
    public record Place(Optional<WorkingTree> here, boolean isEvery, String revision) {

        /// That of a file, as it is there.
        public static Place of(Path file) throws IOException {
            return new Place(WorkingTree.of(file), false, "");
        }

        /// As it was then, in place of as it is.
        public Place at(String older) {
            return new Place(here, isEvery, older);
        }

        /// Whether an address leads here.
        public boolean isAt(String url) {
            return here.isPresent() && (isEvery || here.get().isAt(url) || isFolder(url));
        }

        private boolean isFolder(String url) {
            try {
                var path = url.startsWith("file:") ? Path.of(URI.create(url)) : Path.of(url);
                return path.normalize().equals(here.orElseThrow().root());
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }

    public Applications(Remotes remotes, Place place, Instant now) {
        this.remotes = remotes;
        this.bases = remotes.bases();
        this.place = place;
        this.now = now;
    }

    public static boolean isOne(Json.Obj object) {
        return object.string("kind").equals("Application")
                && object.string("apiVersion").startsWith("argoproj.io/");
    }

    List<Rendered.Entry> render(Json.Obj application) throws IOException, Unrenderable {
        var name = application.string("metadata", "name");
        return manifests(application).stream()
                .flatMap(made -> made.objects().stream())
                .map(object -> new Rendered.Entry(name, object))
                .toList();
    }

    /// What each of its sources holds.
    public List<Manifests> manifests(Json.Obj application) throws IOException, Unrenderable {
        var name = application.string("metadata", "name");
        var spec = application.object("spec");
        var sources = spec.has("sources") ? spec.objects("sources") : List.of(spec.object("source"));
        var references = new HashMap<String, Map<String, byte[]>>();
        for (var source : sources) {
            if (source.has("ref")) {
                references.put(source.string("ref"), files(name, source));
            }
        }
        var all = new ArrayList<Manifests>();
        for (var source : sources) {
            var question = new SourceQuestion(source, name, spec.string("destination", "namespace"), "", Map.of());
            var made = SourceRendering.render(question, new SourceFiles(files(name, source), references), bases, now);
            if (!made.problem().isEmpty()) {
                throw new Unrenderable("Application " + name + ": " + made.problem());
            }
            all.add(made);
        }
        return all;
    }

    /// The files of a repository, if it is at hand or was read already.
    public Optional<Map<String, byte[]>> atHand(String url) throws IOException {
        var known = read.entrySet().stream()
                .filter(each -> each.getKey().startsWith(url + "  "))
                .map(Map.Entry::getValue)
                .findFirst();
        return known.isEmpty() && !url.isEmpty() && place.isAt(url) ? Optional.of(fetched(url, "", "")) : known;
    }

    private Map<String, byte[]> files(String name, Json.Obj source) throws IOException, Unrenderable {
        var url = source.string("repoURL");
        if (url.isEmpty()) {
            throw new Unrenderable("Application " + name + ": spec.source.repoURL is missing");
        }
        var revision = source.string("targetRevision");
        var key = url + " " + source.string("chart") + " " + revision;
        var known = read.get(key);
        if (known == null) {
            known = fetched(url, source.string("chart"), revision);
            read.put(key, known);
        }
        return known;
    }

    private Map<String, byte[]> fetched(String url, String chart, String revision) throws IOException {
        if (!chart.isEmpty()) {
            // Argo CD writes the address of a registry without its scheme.
            return remotes.charts().files(url.contains("://") ? url : "oci://" + url, chart, revision);
        }
        if (place.isAt(url)) {
            var root = place.here().orElseThrow().root();
            return place.revision().isEmpty()
                    ? ChartFiles.repository(root)
                    : remotes.git().read(root.toUri().toString(), place.revision());
        }
        if (url.startsWith("/")) {
            return remotes.git().read(Path.of(url).toUri().toString(), revision);
        }
        return remotes.git().read(url.startsWith("file:") ? URI.create(url).toString() : url, revision);
    }
}
