package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Facts;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.ApplicationFacts.Deletion;
import dev.towtank.controllers.gitops.ApplicationFacts.Pace;
import dev.towtank.controllers.gitops.Comparison.View;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.source.CachedNeighbours;
import dev.towtank.controllers.gitops.source.LiveNeighbours;
import dev.towtank.controllers.gitops.source.RemoteClusters;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Finds out how things stand for an Application: in its repository and at its destination.
final class ApplicationLook implements Facts<Json.Obj, ApplicationFacts> {

    private final World world;
    private final SourceAnswers.Sources sources;
    private final Destinations destinations;
    private final LiveObjects live;
    private final Cluster clusters;

    /// The caches that a look reads.
    record World(Cache projects, Cache configMaps, Cache instances, Cache storageClasses, Cache pods) {}

    /// @param clusters of this server and of others
    ApplicationLook(
            World world, SourceAnswers.Sources sources, Destinations destinations, LiveObjects live, Cluster clusters) {
        this.world = world;
        this.sources = sources;
        this.destinations = destinations;
        this.live = live;
        this.clusters = clusters;
    }

    /// A cluster that does not answer says nothing about what is there: nothing is decided by it.
    @Override
    public ApplicationFacts gather(Observed<Json.Obj> primary) {
        try {
            return gathered(primary);
        } catch (UncheckedIOException e) {
            var destination = primary.object().spec().object("destination");
            var name =
                    destination.string("server").isEmpty() ? destination.string("name") : destination.string("server");
            return ApplicationFacts.failed(List.of(new Condition(
                    primary.object().isDeleting() ? "DeletionError" : "ComparisonError",
                    ApplicationFacts.UNREACHABLE + name + ": " + e.getMessage())));
        }
    }

    private GitOpsSettings settings(LogicalCluster cluster) {
        return GitOpsSettings.of(
                world.configMaps().get(new ObjectName(cluster, GitOpsKinds.NAMESPACE, "argocd-cm")),
                GitOpsKinds.SETTINGS_NAMESPACES.stream()
                        .flatMap(namespace -> world.instances().in(cluster, namespace).stream())
                        .toList());
    }

    private ApplicationFacts gathered(Observed<Json.Obj> primary) {
        var spec = ApplicationSpec.of(primary.object());
        var found = destinations.find(primary.name(), spec.json().object("destination"));
        var settings = settings(primary.name().cluster());
        if (primary.object().isDeleting()) {
            return found.destination()
                    .map(place -> deleting(primary, spec, place, settings))
                    .orElse(ApplicationFacts.failed(List.of(new Condition("DeletionError", found.problem()))));
        }
        var project = project(primary.name(), spec.project());
        var problems = new ArrayList<>(spec.problems());
        found.destination()
                .ifPresentOrElse(
                        place -> project.ifPresentOrElse(
                                it -> problems.addAll(it.objections(primary.name(), place, spec.sources())),
                                () -> problems.add(
                                        "Application referencing project " + spec.project() + " which does not exist")),
                        () -> problems.add(found.problem()));
        if (!problems.isEmpty() || project.isEmpty() || found.destination().isEmpty()) {
            return ApplicationFacts.failed(problems.stream()
                    .map(problem -> new Condition("InvalidSpecError", problem))
                    .toList());
        }
        var destination = found.destination().get();
        return compared(
                        primary,
                        new View(
                                primary.name(),
                                spec,
                                project.get(),
                                destination,
                                rules(settings, destination.place()),
                                settings,
                                options(primary, spec)))
                .at(new Pace(
                        SyncWindows.of(project.get().spec(), primary.name().name(), destination),
                        settings.betweenWaves()));
    }

    private ApplicationFacts deleting(
            Observed<Json.Obj> primary, ApplicationSpec spec, Destination destination, GitOpsSettings settings) {
        var rules = rules(settings, destination.place());
        var remains = remains(primary, destination, rules);
        if (!ApplicationDeletion.needsHooks(primary.object())) {
            return ApplicationFacts.deleting(remains, new Deletion(List.of(), List.of()));
        }
        var project = project(primary.name(), spec.project());
        if (project.isEmpty()) {
            return ApplicationFacts.failed(List.of(
                    new Condition("DeletionError", "its hooks cannot run: there is no project " + spec.project())));
        }
        var view = new View(primary.name(), spec, project.get(), destination, rules, settings, spec.options());
        var answers = answers(view, spec.sources(), List.of(), false);
        if (answers.isPending()) {
            return ApplicationFacts.pending();
        }
        if (!answers.problems().isEmpty()) {
            return ApplicationFacts.failed(answers.problems().stream()
                    .map(each -> new Condition("DeletionError", "its hooks cannot run: " + each.message()))
                    .toList());
        }
        var comparison = new Comparison(view, live, answers.manifests());
        var moment = primary.object().deletionTimestamp().orElse(Instant.EPOCH);
        return ApplicationFacts.deleting(
                remains,
                new Deletion(
                        comparison.deletionHooks(ApplicationDeletion.BEFORE, moment),
                        comparison.deletionHooks(ApplicationDeletion.AFTER, moment)));
    }

    /// Those of the operation that runs, and of the Application.
    private static Set<String> options(Observed<Json.Obj> primary, ApplicationSpec spec) {
        var options = spec.options();
        var state = primary.status().object("operationState");
        if (ApplicationFacts.isStepping(state)) {
            options.addAll(state.array("operation", "sync", "syncOptions").strings());
        }
        return options;
    }

    private HealthRules rules(GitOpsSettings settings, LogicalCluster place) {
        return new HealthRules(
                settings.health(),
                RemoteClusters.isName(place.id())
                        ? new LiveNeighbours(place, clusters)
                        : new CachedNeighbours(place, world.storageClasses(), world.pods()));
    }

    private Optional<Project> project(ObjectName application, String name) {
        return world.projects()
                .get(new ObjectName(application.cluster(), GitOpsKinds.NAMESPACE, name))
                .map(found -> new Project(name, found.spec()));
    }

    private SourceAnswers answers(View view, List<Json.Obj> wanted, List<String> revisions, boolean anew) {
        return SourceAnswers.ask(sources, view.application(), view.destination().namespace(), wanted, revisions, anew);
    }

    private ApplicationFacts compared(Observed<Json.Obj> primary, View view) {
        boolean anew = primary.object().annotations().containsKey(ApplicationReconciler.REFRESH);
        var answers = answers(view, view.spec().sources(), List.of(), anew);
        if (answers.isPending()) {
            return ApplicationFacts.pending();
        }
        if (!answers.problems().isEmpty()) {
            return ApplicationFacts.failed(answers.problems());
        }
        var comparison = new Comparison(view, live, answers.manifests());
        var resources = comparison.resources(primary.status());
        var compared = new Compared(
                answers.manifests().stream().map(Manifests::revision).toList(),
                answers.manifests().stream().map(Manifests::sourceType).toList(),
                resources,
                comparison.liveHooks(primary.status().object("operationState")),
                comparison.deletionPhases());
        var warnings = new ArrayList<>(comparison.warnings());
        view.settings().problems().forEach(why -> warnings.add(new Condition("SettingsWarning", why)));
        view.project().warnings().forEach(why -> warnings.add(new Condition("ProjectWarning", why)));
        var state = primary.status().object("operationState");
        if (state.string("phase").equals("Terminating")) {
            return ApplicationFacts.terminating(warnings, compared, runningHooks(state, view));
        }
        if (ApplicationFacts.isStepping(state)) {
            return syncing(primary, view, comparison, compared, warnings);
        }
        return primary.object().json().has("operation")
                        && !state.string("phase").equals("Running")
                ? beginning(primary, view, compared, warnings)
                : ApplicationFacts.compared(warnings, compared);
    }

    private ApplicationFacts beginning(
            Observed<Json.Obj> primary, View view, Compared compared, List<Condition> warnings) {
        var operation = primary.object().json().object("operation", "sync");
        var revisions = Operations.revisions(operation);
        var wanted = Operations.sources(operation, view.spec());
        if (revisions.isEmpty() && wanted.equals(view.spec().sources())) {
            return ApplicationFacts.beginning(warnings, compared, compared.revisions());
        }
        var answers = asked(view, wanted, revisions);
        if (answers.isPending()) {
            return ApplicationFacts.pending();
        }
        return answers.problems().isEmpty()
                ? ApplicationFacts.beginning(
                        warnings,
                        compared,
                        answers.manifests().stream().map(Manifests::revision).toList())
                : ApplicationFacts.stuck(answers.problems(), warnings, compared);
    }

    /// What an operation names has to be permitted as what an Application names.
    private SourceAnswers asked(View view, List<Json.Obj> wanted, List<String> revisions) {
        var objections = view.project().objections(view.application(), view.destination(), wanted);
        return objections.isEmpty()
                ? answers(view, wanted, revisions, false)
                : new SourceAnswers(
                        false,
                        List.of(),
                        objections.stream()
                                .map(why -> new Condition("InvalidSpecError", why))
                                .toList());
    }

    /// The operation may be about another revision than the newest, or about other sources.
    private ApplicationFacts syncing(
            Observed<Json.Obj> primary, View view, Comparison newest, Compared compared, List<Condition> warnings) {
        var state = primary.status().object("operationState");
        var operation = state.object("operation", "sync");
        var revisions = Operations.revisions(operation);
        var wanted = Operations.sources(operation, view.spec());
        boolean isOther = !wanted.equals(view.spec().sources())
                || (!revisions.isEmpty() && !revisions.equals(compared.revisions()));
        if (!isOther) {
            return ApplicationFacts.syncing(
                    List.of(), warnings, compared, situation(primary, newest, compared.resources()));
        }
        var answers = asked(view, wanted, revisions);
        if (answers.isPending()) {
            return ApplicationFacts.pending();
        }
        if (!answers.problems().isEmpty()) {
            return ApplicationFacts.stuck(answers.problems(), warnings, compared);
        }
        var comparison = new Comparison(view, live, answers.manifests());
        return ApplicationFacts.syncing(
                List.of(), warnings, compared, situation(primary, comparison, comparison.resources(primary.status())));
    }

    private static Situation situation(Observed<Json.Obj> primary, Comparison comparison, List<Managed> resources) {
        var state = primary.status().object("operationState");
        return new Situation(
                resources,
                comparison.hooks(state),
                comparison.namespace(Operations.results(state)),
                Operations.results(state),
                Operations.wishes(state, primary.object()));
    }

    private List<Managed> runningHooks(Json.Obj state, View view) {
        return state.objects("syncResult", "resources").stream()
                .filter(entry -> !entry.string("hookType").isEmpty()
                        && entry.string("hookPhase").equals("Running"))
                .flatMap(entry -> live
                        .found(view.destination().place(), Comparison.key(entry), entry.string("version"), view.rules())
                        .stream())
                .filter(managed -> Comparison.isOwn(view.application(), managed.object()))
                .distinct()
                .toList();
    }

    private List<Managed> remains(Observed<Json.Obj> primary, Destination destination, HealthRules rules) {
        var all = Stream.concat(
                primary.status().objects("resources").stream(),
                primary.status().objects("operationState", "syncResult", "resources").stream());
        return all.flatMap(entry ->
                        live.found(destination.place(), Comparison.key(entry), entry.string("version"), rules).stream())
                .filter(managed -> Comparison.isOwn(primary.name(), managed.object()))
                .distinct()
                .toList();
    }
}
