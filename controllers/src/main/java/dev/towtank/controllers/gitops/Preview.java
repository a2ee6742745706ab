package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.health.Health;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.source.LiveNeighbours;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Outline;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a sync of an Application would do to a cluster, by the same rules as the sync itself, without doing it.
public final class Preview {

    private final Cluster cluster;
    private final InstantSource clock;
    private final Set<ResourceKey> props;

    /// @param props objects that were only made so that others can be tried
    public Preview(Cluster cluster, InstantSource clock, Set<ResourceKey> props) {
        this.cluster = cluster;
        this.clock = clock;
        this.props = Set.copyOf(props);
    }

    /// @param problems why nothing would be synced at all
    /// @param warnings conditions that the Application would have, with their types
    /// @param drifts what differs, where the objects can be compared
    /// @param gates whose health can be told, so that the sync waits for it
    /// @param place where the objects go
    public record Outlook(
            Outline outline,
            List<String> problems,
            List<String> warnings,
            List<Drift> drifts,
            Set<ResourceKey> gates,
            LogicalCluster place) {
        public Outlook {
            gates = Set.copyOf(gates);
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
            drifts = List.copyOf(drifts);
        }

        static Outlook impossible(List<String> problems) {
            return new Outlook(
                    new Outline(List.of(), List.of()),
                    problems,
                    List.of(),
                    List.of(),
                    Set.of(),
                    LogicalCluster.DEFAULT);
        }
    }

    /// @param before empty for what is not there yet
    /// @param after empty for what is to go
    public record Drift(ResourceKey key, Optional<Json.Obj> before, Optional<Json.Obj> after) {}

    /// @param manifests one for each source
    /// @param prunes whether what is wanted no longer is to go
    public Outlook of(Resource application, List<Manifests> manifests, boolean prunes) {
        var spec = ApplicationSpec.of(application);
        var name = new ObjectName(
                LogicalCluster.DEFAULT,
                application.namespace().isEmpty() ? GitOpsKinds.NAMESPACE : application.namespace(),
                application.name());
        var problems = new ArrayList<>(spec.problems());
        manifests.stream()
                .map(Manifests::problem)
                .filter(each -> !each.isEmpty())
                .forEach(problems::add);
        var found = destinations().find(name, spec.json().object("destination"));
        var project = cluster.get(
                        GitOpsKinds.PROJECT,
                        new ObjectName(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE, spec.project()))
                .map(it -> new Project(spec.project(), it.spec()));
        if (project.isEmpty()) {
            problems.add("Application referencing project " + spec.project() + " which does not exist");
        }
        if (found.destination().isEmpty()) {
            problems.add(found.problem());
        } else {
            project.ifPresent(it ->
                    problems.addAll(it.objections(name, found.destination().get(), spec.sources())));
        }
        if (!problems.isEmpty()) {
            return Outlook.impossible(problems);
        }
        var settings = settings();
        var view = new Comparison.View(
                name,
                spec,
                project.orElseThrow(),
                found.destination().orElseThrow(),
                new HealthRules(
                        settings.health(),
                        new LiveNeighbours(found.destination().orElseThrow().place(), cluster)),
                settings,
                spec.options());
        return looked(application, view, manifests, prunes);
    }

    private Destinations destinations() {
        return new Destinations(
                place -> cluster.list(Secrets.KIND, Selection.in(place, GitOpsKinds.NAMESPACE))
                        .items(),
                () -> Destinations.SERVER,
                access -> {
                    throw new IllegalArgumentException("the destination " + access.server()
                            + " is a cluster of another server, which a preview does not ask");
                });
    }

    private GitOpsSettings settings() {
        return GitOpsSettings.of(
                cluster.get(
                        ConfigMaps.KIND, new ObjectName(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE, "argocd-cm")),
                cluster.list(GitOpsKinds.INSTANCE, Selection.in(LogicalCluster.DEFAULT)).items().stream()
                        .filter(each -> GitOpsKinds.SETTINGS_NAMESPACES.contains(each.namespace()))
                        .toList());
    }

    private Outlook looked(Resource application, Comparison.View view, List<Manifests> manifests, boolean prunes) {
        var place = view.destination().place();
        var definitions = cluster.list(CustomResourceDefinitions.KIND, Selection.in(place))
                .items();
        var live = new LiveObjects(cluster, new KnownKinds(cluster, () -> definitions), new Alone(props), clock);
        var comparison = new Comparison(view, live, manifests);
        var resources = comparison.resources(application.status());
        var sync =
                Json.Obj.of("prune", Json.of(prunes), "syncOptions", Json.Arr.ofStrings(List.copyOf(view.options())));
        var revision = manifests.isEmpty() ? "" : manifests.getFirst().revision();
        var state = Json.Obj.of(
                "operation", Json.Obj.of("sync", sync),
                "startedAt", Json.of(Timestamps.seconds(clock.instant())),
                "syncResult", Json.Obj.of("revision", Json.of(revision)));
        var situation = new Situation(
                resources,
                comparison.hooks(state),
                comparison.namespace(List.of()),
                List.of(),
                Operations.wishes(state, application));
        var warnings = new LinkedHashSet<String>();
        Stream.concat(
                        comparison.warnings().stream().map(each -> each.type() + ": " + each.message()),
                        view.settings().problems().stream().map(each -> "SettingsWarning: " + each))
                .forEach(warnings::add);
        var outline = Outline.of(situation);
        return new Outlook(
                outline,
                List.of(),
                List.copyOf(warnings),
                resources.stream()
                        .filter(each -> !ApplicationStatus.isAsWanted(each))
                        .map(each -> drift(view, live, each))
                        .toList(),
                gates(outline, view.rules()),
                place);
    }

    private static Drift drift(Comparison.View view, LiveObjects live, Managed managed) {
        var differences = view.differences();
        var before = managed.live();
        var after = managed.target()
                .map(target ->
                        live.predicted(view.destination().place(), target).orElse(target));
        return new Drift(
                managed.key(), before.map(object -> (Json.Obj) differences.essence(object, object)), after.map(object ->
                        (Json.Obj) differences.essence(object, before.orElse(object))));
    }

    /// What a sync can wait for, because somebody can tell when it is as it should be.
    private Set<ResourceKey> gates(Outline outline, HealthRules rules) {
        return outline.groups().stream()
                .flatMap(group -> group.entries().stream())
                .filter(entry -> entry.object().target().isPresent()
                        && !Marks.hasOption(entry.object().object(), "SkipHealthCheck=true")
                        && rules.of(begun(entry.object()), clock.instant())
                                .filter(health -> !isClaim(entry.key()) || !health.is(Health.Code.HEALTHY))
                                .isPresent())
                .map(Outline.Entry::key)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// As it is when it has just been made. A claim that waits for its first consumer is waited for by nobody.
    private static Json.Obj begun(Managed managed) {
        var object = managed.object();
        return isClaim(managed.key())
                ? managed.live().orElse(object.with("status", Json.Obj.of("phase", Json.of("Pending"))))
                : object.without("status");
    }

    private static boolean isClaim(ResourceKey key) {
        return key.group().isEmpty() && key.kind().equals("PersistentVolumeClaim");
    }

    /// Nobody is told, and nobody tells.
    private record Alone(Set<ResourceKey> props) implements LiveObjects.Company {
        @Override
        public void meet(LogicalCluster place, Kind<?> kind) {
            // A look at one moment follows nothing.
        }

        @Override
        public String lastWords(LogicalCluster place, Json.Obj object) {
            return "";
        }

        @Override
        public boolean isProp(ResourceKey key) {
            return props.contains(key);
        }
    }
}
