package dev.towtank.app.render;

import dev.towtank.controllers.rendering.source.ChartFiles;
import dev.towtank.controllers.rendering.source.DiskTree;
import dev.towtank.model.JsonText;
import dev.towtank.model.helm.Chart;
import dev.towtank.model.helm.Helm;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.Rendered;
import dev.towtank.model.helm.ValueFiles;
import dev.towtank.model.kustomize.Kustomization;
import dev.towtank.model.kustomize.KustomizeError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Renders what a path or an address leads to: a chart, a kustomization, Applications, or plain objects.
public final class LocalRender {
    private static final List<String> KUSTOMIZATIONS =
            List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

    private final ChartWishes wishes;
    private final Remotes remotes;
    private final Path working;
    private final Consumer<String> warning;

    /// @param working the folder that somebody works in: what is in no repository may name files in it and below
    /// @param warning is told what works, and is seldom meant
    public LocalRender(ChartWishes wishes, Remotes remotes, Path working, Consumer<String> warning) {
        this.wishes = wishes;
        this.remotes = remotes;
        this.working = working;
        this.warning = warning;
    }

    /// What something is for.
    public enum Kind {
        CHART,
        KUSTOMIZATION,
        MANIFESTS
    }

    public static Kind kind(Path place) {
        if (!Files.isDirectory(place)) {
            return place.toString().matches(".*\\.(tgz|tar\\.gz)") ? Kind.CHART : Kind.MANIFESTS;
        }
        if (Files.isRegularFile(place.resolve("Chart.yaml"))) {
            return Kind.CHART;
        }
        return KUSTOMIZATIONS.stream().anyMatch(name -> Files.isRegularFile(place.resolve(name)))
                ? Kind.KUSTOMIZATION
                : Kind.MANIFESTS;
    }

    /// @param recurses whether folders of plain files are looked through to their ends
    public List<Rendered.Entry> place(Path place, boolean recurses) throws Unrenderable {
        if (!Files.exists(place)) {
            throw new Unrenderable("there is no such file or folder");
        }
        return told(() -> switch (kind(place)) {
            case CHART -> chart(ChartFiles.read(place));
            case KUSTOMIZATION -> kustomization(place);
            case MANIFESTS -> manifests(place, recurses);
        });
    }

    /// A chart by its name in a repository, or in a registry at its whole address.
    public List<Rendered.Entry> remote(String repository, String chart) throws Unrenderable {
        return told(() -> chart(remotes.charts().files(repository, chart, wishes.version())));
    }

    /// A chart whose archive is at an address.
    public List<Rendered.Entry> archive(String address) throws Unrenderable {
        return told(() -> chart(remotes.charts().archive(address)));
    }

    private interface Rendering {
        List<Rendered.Entry> render() throws IOException, Unrenderable;
    }

    private static List<Rendered.Entry> told(Rendering rendering) throws Unrenderable {
        try {
            return rendering.render();
        } catch (HelmError | KustomizeError | JsonText.Malformed e) {
            throw new Unrenderable(String.valueOf(e.getMessage()), e);
        } catch (IOException | UncheckedIOException e) {
            throw unread(e);
        }
    }

    // What the machine says about a file is its name; what is said about other machines is a sentence.
    private static Unrenderable unread(Exception e) {
        var cause = e.getCause();
        var why = e instanceof UncheckedIOException && cause != null ? cause : e;
        var words = String.valueOf(why.getMessage());
        return new Unrenderable(why instanceof FileSystemException ? "cannot read " + words : words, e);
    }

    private List<Rendered.Entry> chart(Map<String, byte[]> files) {
        ValueFiles.duplicates(files).forEach(warning);
        var rendered = Helm.render(Chart.of(files), wishes.values(), wishes.options());
        return Stream.of(rendered.crds(), rendered.objects(), rendered.hooks())
                .flatMap(List::stream)
                .toList();
    }

    // A file with Applications is about what they hold; in a folder they are objects like others.
    private List<Rendered.Entry> manifests(Path place, boolean recurses) throws IOException, Unrenderable {
        var found = PlainFiles.read(place, recurses);
        if (Files.isDirectory(place) || found.stream().noneMatch(each -> Applications.isOne(each.object()))) {
            return found;
        }
        var applications = new Applications(
                remotes,
                Applications.Place.of(place),
                wishes.options().ambient().now());
        var all = new ArrayList<Rendered.Entry>();
        for (var each : found) {
            all.addAll(Applications.isOne(each.object()) ? applications.render(each.object()) : List.of(each));
        }
        return all;
    }

    private List<Rendered.Entry> kustomization(Path folder) throws IOException {
        var tree = DiskTree.of(DiskTree.root(folder, working));
        return Kustomization.build(tree, tree.path(folder), remotes.bases()).stream()
                .map(object -> new Rendered.Entry("", object))
                .toList();
    }
}
