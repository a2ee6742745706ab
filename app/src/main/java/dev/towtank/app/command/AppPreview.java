package dev.towtank.app.command;

import dev.towtank.app.applications.HookRights;
import dev.towtank.app.applications.ObjectDiff;
import dev.towtank.app.applications.PlanPage;
import dev.towtank.app.applications.Rehearsal;
import dev.towtank.app.applications.foresight.Foresight;
import dev.towtank.app.applications.foresight.Omen;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.render.Applications;
import dev.towtank.app.render.PlainFiles;
import dev.towtank.app.render.Remotes;
import dev.towtank.app.render.Unrenderable;
import dev.towtank.app.run.RunEngine;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.shell.Logging;
import dev.towtank.app.shell.Scratch;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.cluster.Cluster;
import dev.towtank.controllers.gitops.Preview;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.sync.Outline;
import dev.towtank.controllers.rendering.source.WorkingTree;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.helm.HelmError;
import dev.towtank.model.helm.Rendered;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.ImageMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.ExitCode;

/// Shows what Applications hold, what has changed in them, and what a sync would do: of files without a server, or of
/// an
/// Application as a server has it.
final class AppPreview {

    /// @param repository the folder in place of the repository that an Application names
    /// @param against the revision that files are compared with; empty for what is committed
    /// @param prune whether what is wanted no longer is to go
    /// @param machine whose images pods would run on; empty where they run elsewhere
    record Wishes(Optional<Path> repository, String against, boolean prune, Optional<DataDirectory> machine) {}

    private final Surroundings surroundings;
    private final Wishes wishes;

    AppPreview(Surroundings surroundings, Wishes wishes) {
        this.surroundings = surroundings;
        this.wishes = wishes;
    }

    static boolean isFile(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json") || name.contains("/");
    }

    static boolean isApplication(Json.Obj object) {
        return Applications.isOne(object);
    }

    private interface Looking {
        int look() throws IOException, Unrenderable;
    }

    private static int told(String what, Looking looking) {
        try {
            return looking.look();
        } catch (Unrenderable e) {
            throw new Failure("Cannot render " + what + ": " + e.getMessage(), e);
        } catch (HelmError e) {
            throw new Failure("Cannot read what " + what + " is about: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw new Failure("Cannot read " + what + ": " + sentence(e), e);
        }
    }

    private static String sentence(Exception problem) {
        return String.valueOf(problem.getMessage()).replaceFirst("\\.*$", ".");
    }

    private void print(List<String> lines) {
        lines.forEach(line -> surroundings.text().println(line));
    }

    /// All objects of a file with at least one Application.
    static List<Json.Obj> read(Path file) {
        try {
            return PlainFiles.read(file, false).stream()
                    .map(Rendered.Entry::object)
                    .toList();
        } catch (Unrenderable e) {
            throw new Failure("Cannot read " + file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new Failure("Cannot read " + e.getMessage() + ".", e);
        }
    }

    static List<Json.Obj> applications(Path file) {
        var found = read(file).stream().filter(Applications::isOne).toList();
        if (found.isEmpty()) {
            throw new Failure("There is no Application in " + file + ". Name files that have some.");
        }
        return found;
    }

    private Applications sources(Optional<Path> file, String revision) throws IOException {
        var place = wishes.repository().isPresent()
                ? new Applications.Place(WorkingTree.of(wishes.repository().get()), true, "")
                : file.isPresent()
                        ? Applications.Place.of(file.get())
                        : new Applications.Place(Optional.empty(), false, "");
        if (wishes.repository().isPresent() && place.here().isEmpty()) {
            throw new Failure(wishes.repository().get() + " is in no git repository.");
        }
        return new Applications(
                Remotes.of(surroundings.environment(), surroundings.clock(), Optional.empty(), ""),
                place.at(revision),
                surroundings.clock().instant());
    }

    int render(List<Json.Obj> applications, Optional<Path> file) {
        return told("the Application", () -> {
            var sources = sources(file, "");
            for (var application : applications) {
                for (var manifests : sources.manifests(application)) {
                    manifests.objects().forEach(object -> surroundings.text().print("---\n" + YamlText.write(object)));
                }
            }
            return ExitCode.OK;
        });
    }

    /// What the files come to now, beside what they came to at another revision.
    int diffFiles(Path file) {
        return told(file.toString(), () -> {
            var now = sources(Optional.of(file), "");
            var then = sources(Optional.of(file), wishes.against().isEmpty() ? "HEAD" : wishes.against());
            boolean isSame = true;
            for (var application : applications(file)) {
                var before = byKey(then.manifests(application));
                var after = byKey(now.manifests(application));
                var keys = new ArrayList<>(before.keySet());
                after.keySet().stream().filter(key -> !before.containsKey(key)).forEach(keys::add);
                for (var key : keys) {
                    var lines = ObjectDiff.of(
                            key, Optional.ofNullable(before.get(key)), Optional.ofNullable(after.get(key)));
                    print(Screen.listing(surroundings, lines));
                    isSame &= lines.isEmpty();
                }
            }
            return isSame ? ExitCode.OK : ExitCode.SOFTWARE;
        });
    }

    private static Map<ResourceKey, Json.Obj> byKey(List<Manifests> manifests) {
        var objects = new LinkedHashMap<ResourceKey, Json.Obj>();
        manifests.forEach(each -> each.objects().forEach(object -> objects.put(ResourceKey.of(object), object)));
        return objects;
    }

    /// What lives beside what Git wants.
    int diffLive(Json.Obj application, Cluster cluster) {
        return told(application.string("metadata", "name"), () -> {
            var outlook = look(application, sources(Optional.empty(), "").manifests(application), cluster, Set.of());
            outlook.problems().forEach(each -> surroundings.err().println(each));
            outlook.drifts()
                    .forEach(drift -> print(
                            Screen.listing(surroundings, ObjectDiff.of(drift.key(), drift.before(), drift.after()))));
            return outlook.problems().isEmpty() && outlook.drifts().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
        });
    }

    int planLive(Json.Obj application, Cluster cluster) {
        return told(application.string("metadata", "name"), () -> {
            var sources = sources(Optional.empty(), "");
            var outlook = look(application, sources.manifests(application), cluster, Set.of());
            return shown(application, outlook, cluster, new Before(List.of(), true, sources));
        });
    }

    /// On a server of its own, which is empty and ends with the command.
    ///
    /// @param given what is there before, besides what stands next to the Application
    int planFiles(Path file, List<Json.Obj> given) {
        return told(file.toString(), () -> {
            var beside = Stream.concat(read(file).stream(), given.stream())
                    .filter(object -> !Applications.isOne(object))
                    .toList();
            var before = new Before(beside, false, sources(Optional.of(file), ""));
            int worst = ExitCode.OK;
            for (var application : applications(file)) {
                worst = Math.max(worst, rehearsed(application, before));
            }
            return worst;
        });
    }

    /// @param given what the user says is there
    /// @param isLive whether the server is the one that the objects go to
    private record Before(List<Json.Obj> given, boolean isLive, Applications sources) {}

    private int rehearsed(Json.Obj application, Before before) throws IOException, Unrenderable {
        var manifests = before.sources().manifests(application);
        Logging.onlyErrors();
        var directory = Files.createTempDirectory("towtank-plan");
        try (var engine = engine(directory)) {
            var objects =
                    manifests.stream().flatMap(each -> each.objects().stream()).toList();
            var props = new Rehearsal(engine.cluster()).prepare(application, before.given(), objects);
            var outlook = look(here(application), manifests, engine.cluster(), props);
            return shown(application, outlook, engine.cluster(), before);
        } finally {
            Scratch.delete(directory);
        }
    }

    private RunEngine engine(Path directory) throws IOException {
        var shared = RunHistory.of(surroundings.environment()).shared();
        return new RunEngines(surroundings, new DataDirectory(directory), shared, false, ImageMode.STAND_IN)
                .empty(directory);
    }

    /// Wherever its objects are to go, they are tried here.
    private static Json.Obj here(Json.Obj application) {
        var destination = application.object("spec", "destination");
        return application.with(
                List.of("spec", "destination"),
                destination.without("name").with("server", Json.of("https://kubernetes.default.svc")));
    }

    private Preview.Outlook look(
            Json.Obj application, List<Manifests> manifests, Cluster cluster, Set<ResourceKey> props) {
        boolean prunes = wishes.prune() || application.flag("spec", "syncPolicy", "automated", "prune");
        return new Preview(cluster, surroundings.clock(), props)
                .of(new Resource(LogicalCluster.DEFAULT, application), manifests, prunes);
    }

    /// @param isLive what the sync itself would bring of rights is not there yet, so it is not known what they will be
    private static List<String> rights(Preview.Outlook outlook, Cluster cluster, boolean isLive) {
        var entries = outlook.outline().groups().stream()
                .flatMap(group -> group.entries().stream())
                .toList();
        boolean isOpen = isLive
                && entries.stream()
                        .anyMatch(entry -> entry.verb() != Outline.Verb.KEEP
                                && entry.key().group().equals("rbac.authorization.k8s.io"));
        if (isOpen || entries.isEmpty()) {
            return List.of();
        }
        var rights = new HookRights(cluster, outlook.place());
        return entries.stream()
                .filter(entry -> !entry.isPrune())
                .flatMap(entry -> rights.lacking(entry.object().object()).stream())
                .distinct()
                .toList();
    }

    private int shown(Json.Obj application, Preview.Outlook outlook, Cluster cluster, Before before)
            throws IOException {
        var omens = new ArrayList<Omen>();
        rights(outlook, cluster, before.isLive()).forEach(text -> omens.add(new Omen(Omen.Turn.FAILS, text)));
        if (outlook.problems().isEmpty()) {
            omens.addAll(foreseen(outlook, cluster, before));
        }
        print(Screen.prose(surroundings, PlanPage.of(application.string("metadata", "name"), outlook, omens)));
        return PlanPage.isBad(outlook, omens) ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private List<Omen> foreseen(Preview.Outlook outlook, Cluster cluster, Before before) throws IOException {
        if (wishes.machine().isEmpty()) {
            return Foresight.of(outlook, world(outlook, cluster, before, Optional.empty()));
        }
        var shared = RunHistory.of(surroundings.environment()).shared();
        var engines = new RunEngines(surroundings, wishes.machine().get(), shared, false, ImageMode.AUTO);
        try (var images = engines.look()) {
            return Foresight.of(outlook, world(outlook, cluster, before, Optional.of(images.map())));
        }
    }

    private static PlanWorld world(Preview.Outlook outlook, Cluster cluster, Before before, Optional<ImageMap> images) {
        return new PlanWorld(cluster, outlook.place(), before.given(), before.isLive(), images, before.sources());
    }
}
