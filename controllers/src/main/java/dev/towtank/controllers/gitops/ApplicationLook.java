package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Facts;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.api.Tracking;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.rendering.SourceQuestion;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds out how things stand for an Application: in its repository and in the cluster.
final class ApplicationLook implements Facts<Json.Obj, ApplicationFacts> {

    private final Cache projects;
    private final Cache settings;
    private final Sources sources;
    private final LiveObjects live;

    /// Asks about a source, and never waits.
    @FunctionalInterface
    interface Sources {
        Outside.Answer<Manifests> ask(ObjectName asker, SourceQuestion question, boolean anew);
    }

    ApplicationLook(Cache projects, Cache settings, Sources sources, LiveObjects live) {
        this.projects = projects;
        this.settings = settings;
        this.sources = sources;
        this.live = live;
    }

    @Override
    public ApplicationFacts gather(Observed<Json.Obj> primary) {
        var rules = rules(primary.name());
        if (primary.object().isDeleting()) {
            return ApplicationFacts.deleting(remains(primary, rules));
        }
        var spec = ApplicationSpec.of(primary.object());
        var project = project(primary.name(), spec.project());
        var problems = new ArrayList<>(spec.problems());
        project.ifPresentOrElse(
                found -> problems.addAll(found.objections(primary.name(), spec.json(), spec.sources())),
                () -> problems.add("Application referencing project " + spec.project() + " which does not exist"));
        if (!problems.isEmpty() || project.isEmpty()) {
            return ApplicationFacts.failed(problems.stream()
                    .map(problem -> new Condition("InvalidSpecError", problem))
                    .toList());
        }
        return compared(primary, spec, new View(primary.name(), spec, project.get(), rules));
    }

    private record View(ObjectName application, ApplicationSpec spec, Project project, HealthRules rules) {
        Differences differences() {
            return new Differences(spec.json().objects("ignoreDifferences"));
        }
    }

    private HealthRules rules(ObjectName application) {
        return settings.get(new ObjectName(application.cluster(), GitOpsKinds.NAMESPACE, "argocd-cm"))
                .map(found -> new HealthRules(found.json().stringMap("data")))
                .orElse(HealthRules.BUILT_IN);
    }

    private Optional<Project> project(ObjectName application, String name) {
        return projects.get(new ObjectName(application.cluster(), GitOpsKinds.NAMESPACE, name))
                .map(found -> new Project(name, found.spec()));
    }

    private ApplicationFacts compared(Observed<Json.Obj> primary, ApplicationSpec spec, View view) {
        boolean anew = primary.object().annotations().containsKey(ApplicationReconciler.REFRESH);
        var answers = answers(view, spec.questions(), anew);
        if (answers.isPending()) {
            return ApplicationFacts.pending();
        }
        if (!answers.problems().isEmpty()) {
            return ApplicationFacts.failed(answers.problems());
        }
        var warnings = new ArrayList<Condition>();
        var resources = resources(primary, view, answers.manifests(), warnings);
        var compared = new Compared(
                answers.manifests().stream().map(Manifests::revision).toList(),
                answers.manifests().stream().map(Manifests::sourceType).toList(),
                resources);
        var state = primary.status().object("operationState");
        if (!ApplicationFacts.isStepping(state)) {
            return new ApplicationFacts(false, List.of(), warnings, Optional.of(compared), Optional.empty(), List.of());
        }
        return syncing(primary, view, answers, compared, warnings);
    }

    /// The operation may be about another revision than the newest.
    private ApplicationFacts syncing(
            Observed<Json.Obj> primary, View view, Answers newest, Compared compared, List<Condition> warnings) {
        var state = primary.status().object("operationState");
        var operation = state.object("operation", "sync");
        var revisions = Operations.revisions(operation);
        boolean isOther = !revisions.isEmpty() && !revisions.equals(compared.revisions());
        var answers = isOther ? answers(view, view.spec().questions(revisions), false) : newest;
        if (answers.isPending()) {
            return ApplicationFacts.pending();
        }
        var manifests = answers.manifests();
        var resources = isOther ? resources(primary, view, manifests, new ArrayList<>()) : compared.resources();
        var situation = new Situation(
                resources,
                hooks(view, manifests, state),
                namespace(view),
                Operations.results(state),
                Operations.wishes(state));
        return new ApplicationFacts(
                false,
                answers.problems(),
                warnings,
                Optional.of(compared),
                answers.problems().isEmpty() ? Optional.of(situation) : Optional.empty(),
                List.of());
    }

    private record Answers(boolean isPending, List<Manifests> manifests, List<Condition> problems) {}

    private Answers answers(View view, List<SourceQuestion> questions, boolean anew) {
        boolean isPending = false;
        var manifests = new ArrayList<Manifests>();
        var problems = new ArrayList<Condition>();
        for (var question : questions) {
            switch (sources.ask(view.application(), question, anew)) {
                case Outside.Answer.Pending<Manifests> _ -> isPending = true;
                case Outside.Answer.Known<Manifests>(var known, var _) -> {
                    manifests.add(known);
                    if (!known.problem().isEmpty()) {
                        problems.add(comparisonError("Manifest generation error: " + known.problem()));
                    }
                }
                case Outside.Answer.Failed<Manifests> failed -> problems.add(comparisonError(failed.problem()));
            }
        }
        return new Answers(isPending, manifests, problems);
    }

    private static Condition comparisonError(String why) {
        return new Condition("ComparisonError", "Failed to load target state: " + why);
    }

    /// What the repository wants, and what it wanted before and still lives.
    private List<Managed> resources(
            Observed<Json.Obj> primary, View view, List<Manifests> manifests, List<Condition> warnings) {
        var place = view.application().cluster();
        var targets = targets(view, manifests, warnings);
        var found = new ArrayList<Managed>();
        for (var target : targets.values()) {
            var managed = permitted(view, live.wanted(place, target, view.differences(), view.rules()));
            managed.live()
                    .flatMap(object -> stranger(view.application(), object))
                    .ifPresent(other -> warnings.add(new Condition(
                            "SharedResourceWarning",
                            managed.key().kind() + "/" + managed.key().name() + " is part of applications "
                                    + view.application() + " and " + other)));
            found.add(managed);
        }
        var seen = new HashSet<>(targets.keySet());
        for (var entry : written(primary.status()).toList()) {
            var key = key(entry);
            if (seen.add(key)) {
                live.found(place, key, entry.string("version"), view.rules())
                        .filter(managed -> Tracking.belongs(managed.object(), view.application()))
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    /// All that was ever wanted and may still live: what was compared, and what the last operation made.
    private static Stream<Json.Obj> written(Json.Obj status) {
        return Stream.concat(
                status.objects("resources").stream(),
                status.objects("operationState", "syncResult", "resources").stream()
                        .filter(entry -> entry.string("hookType").isEmpty()
                                && !entry.string("kind").equals("Namespace")));
    }

    private static ResourceKey key(Json.Obj entry) {
        return new ResourceKey(
                entry.string("group"), entry.string("kind"), entry.string("namespace"), entry.string("name"));
    }

    private static Optional<ObjectName> stranger(ObjectName application, Json.Obj object) {
        return Tracking.application(application.cluster(), object)
                .filter(other -> !other.equals(application) && Tracking.belongs(object, other));
    }

    private static Managed permitted(View view, Managed managed) {
        return view.project()
                .objection(managed.key())
                .map(objection -> new Managed(
                        managed.key(),
                        managed.target(),
                        managed.live(),
                        managed.health(),
                        Optional.of(new Refusal(Refusal.Cause.REFUSED, objection)),
                        managed.isSynced()))
                .orElse(managed);
    }

    private Map<ResourceKey, Json.Obj> targets(View view, List<Manifests> manifests, List<Condition> warnings) {
        var targets = new LinkedHashMap<ResourceKey, Json.Obj>();
        var counts = new LinkedHashMap<ResourceKey, Integer>();
        objects(manifests).filter(object -> !Marks.isHook(object)).forEach(object -> {
            var target = target(view, object);
            targets.put(ResourceKey.of(target), target);
            counts.merge(ResourceKey.of(target), 1, Integer::sum);
        });
        counts.forEach((key, count) -> {
            if (count > 1) {
                warnings.add(new Condition(
                        "RepeatedResourceWarning",
                        "Resource %s/%s/%s/%s appeared %d times among application resources."
                                .formatted(key.group(), key.kind(), key.namespace(), key.name(), count)));
            }
        });
        return targets;
    }

    private static Stream<Json.Obj> objects(List<Manifests> manifests) {
        return manifests.stream().flatMap(each -> each.objects().stream());
    }

    private Json.Obj target(View view, Json.Obj object) {
        var placed = live.placed(
                view.application().cluster(),
                object.without("status"),
                view.spec().namespace());
        return Tracking.marked(placed, view.application());
    }

    private List<Situation.Hook> hooks(View view, List<Manifests> manifests, Json.Obj state) {
        if (Operations.skipsHooks(state.object("operation", "sync"))) {
            return List.of();
        }
        var hooks = new ArrayList<Situation.Hook>();
        objects(manifests).filter(Marks::isHook).forEach(object -> {
            for (var phase : Marks.phases(object)) {
                var target = target(view, Operations.named(object, phase, state));
                var managed = live.wanted(view.application().cluster(), target, view.differences(), view.rules());
                hooks.add(new Situation.Hook(phase, permitted(view, managed)));
            }
        });
        return hooks;
    }

    /// Only what is not there is made: a namespace that is there belongs to others as well.
    private Optional<Managed> namespace(View view) {
        var name = view.spec().namespace();
        if (name.isEmpty() || !view.spec().options().contains("CreateNamespace=true")) {
            return Optional.empty();
        }
        var metadata = view.spec()
                .json()
                .object("syncPolicy", "managedNamespaceMetadata")
                .with("name", Json.of(name));
        var target = Json.Obj.of("apiVersion", Json.of("v1"), "kind", Json.of("Namespace"), "metadata", metadata);
        var managed = live.wanted(view.application().cluster(), target, view.differences(), view.rules());
        return Optional.of(managed).filter(it -> it.live().isEmpty());
    }

    private List<Managed> remains(Observed<Json.Obj> primary, HealthRules rules) {
        var hooks = primary.status().objects("operationState", "syncResult", "resources").stream()
                .filter(entry -> !entry.string("hookType").isEmpty());
        return Stream.concat(primary.status().objects("resources").stream(), hooks)
                .flatMap(entry ->
                        live.found(primary.name().cluster(), key(entry), entry.string("version"), rules).stream())
                .filter(managed -> Tracking.belongs(managed.object(), primary.name()))
                .distinct()
                .toList();
    }
}
