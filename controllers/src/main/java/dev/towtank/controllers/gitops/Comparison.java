package dev.towtank.controllers.gitops;

import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.ApplicationFacts.Condition;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.api.Tracking;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.controllers.gitops.health.HealthRules;
import dev.towtank.controllers.gitops.rendering.Manifests;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Managed.Refusal;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Phase;
import dev.towtank.controllers.gitops.sync.Result;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What an Application's manifests want beside what lives at its destination.
final class Comparison {

    /// By which rules it is compared.
    record View(
            ObjectName application,
            ApplicationSpec spec,
            Project project,
            Destination destination,
            HealthRules rules,
            GitOpsSettings settings,
            Set<String> options) {

        Differences differences() {
            return new Differences(spec.json().objects("ignoreDifferences")).and(settings.ignored());
        }

        boolean isRespecting() {
            return options.contains("RespectIgnoreDifferences=true");
        }
    }

    private final View view;
    private final LiveObjects live;
    private final Differences differences;
    private final List<Manifests> manifests;
    private final List<Condition> warnings = new ArrayList<>();

    Comparison(View view, LiveObjects live, List<Manifests> manifests) {
        this.view = view;
        this.live = live;
        this.differences = view.differences();
        this.manifests = List.copyOf(manifests);
    }

    /// What the Application's user should know; complete when the resources are.
    List<Condition> warnings() {
        return List.copyOf(warnings);
    }

    /// What the repository wants, and what it wanted before and still lives.
    List<Managed> resources(Json.Obj status) {
        var targets = targets();
        var found = new ArrayList<Managed>();
        for (var target : targets.values()) {
            found.add(shared(permitted(wanted(target))));
        }
        var seen = new HashSet<>(targets.keySet());
        for (var entry : written(status).toList()) {
            var key = key(entry);
            if (seen.add(key)) {
                live.found(view.destination().place(), key, entry.string("version"), view.rules())
                        .filter(managed -> isOwn(view.application(), managed.object()))
                        .ifPresent(found::add);
            }
        }
        warnOfIdleRules(found);
        found.forEach(this::warnOfKindScripts);
        return found;
    }

    private void warnOfKindScripts(Managed managed) {
        managed.live()
                .flatMap(object -> view.rules().glossedOver(object, live.now()))
                .ifPresent(own -> warnings.add(new Condition(
                        "HealthOverriddenWarning",
                        "the health of " + managed.key() + " is overridden by a user script; own assessment: "
                                + own.status().wire()
                                + (own.message().isEmpty() ? "" : ": " + own.message()))));
    }

    private void warnOfIdleRules(List<Managed> found) {
        if (found.stream().allMatch(each -> each.live().isPresent())) {
            var objects = found.stream().flatMap(each -> each.live().stream()).toList();
            new Differences(view.spec().json().objects("ignoreDifferences"))
                    .idle(objects)
                    .forEach(why -> warnings.add(new Condition("IgnoreDifferencesWarning", why)));
        }
    }

    /// What somebody else owns is theirs, whatever was copied onto it.
    static boolean isOwn(ObjectName application, Json.Obj object) {
        return Tracking.belongs(object, application)
                && object.objects("metadata", "ownerReferences").isEmpty();
    }

    private Managed wanted(Json.Obj target) {
        return live.wanted(view.destination().place(), target, differences, view.isRespecting(), view.rules());
    }

    /// All that was ever wanted and may still live: what was compared, and what the last operation made.
    static Stream<Json.Obj> written(Json.Obj status) {
        return Stream.concat(
                status.objects("resources").stream().filter(entry -> !entry.flag("hook")),
                status.objects("operationState", "syncResult", "resources").stream()
                        .filter(entry -> entry.string("hookType").isEmpty()
                                && !entry.string("kind").equals("Namespace")));
    }

    static ResourceKey key(Json.Obj entry) {
        return new ResourceKey(
                entry.string("group"), entry.string("kind"), entry.string("namespace"), entry.string("name"));
    }

    private Managed shared(Managed managed) {
        var stranger = managed.live()
                .flatMap(object -> Tracking.application(view.application().cluster(), object)
                        .filter(other -> !other.equals(view.application()) && Tracking.belongs(object, other)));
        if (stranger.isEmpty()) {
            return managed;
        }
        var text = managed.key().kind() + "/" + managed.key().name() + " is part of applications " + view.application()
                + " and " + stranger.get();
        warnings.add(new Condition("SharedResourceWarning", text));
        return view.options().contains("FailOnSharedResource=true")
                ? refused(managed, Refusal.Cause.REFUSED, "Shared resource found: " + text)
                : managed;
    }

    private static Managed refused(Managed managed, Refusal.Cause cause, String why) {
        return new Managed(
                managed.key(),
                managed.target(),
                managed.live(),
                managed.health(),
                Optional.of(new Refusal(cause, why)),
                managed.isSynced());
    }

    private Managed permitted(Managed managed) {
        return view.project()
                .objection(managed.key(), view.destination())
                .map(objection -> refused(managed, Refusal.Cause.NOT_PERMITTED, objection))
                .or(() -> SyncOptions.problemOfOne(managed.object())
                        .map(problem -> refused(managed, Refusal.Cause.REFUSED, problem)))
                .orElse(managed);
    }

    private Map<ResourceKey, Json.Obj> targets() {
        var targets = new LinkedHashMap<ResourceKey, Json.Obj>();
        var counts = new LinkedHashMap<ResourceKey, Integer>();
        objects().filter(object -> !Marks.isHook(object)).forEach(object -> {
            var target = target(object);
            var key = ResourceKey.of(target);
            if (view.settings().exclusions().exclude(key)) {
                warnings.add(excluded(key));
            } else {
                targets.put(key, target);
                counts.merge(key, 1, Integer::sum);
            }
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

    private static Condition excluded(ResourceKey key) {
        return new Condition(
                "ExcludedResourceWarning",
                "Resource " + key.group() + "/" + key.kind() + " " + key.name() + " is excluded in the settings");
    }

    private Stream<Json.Obj> objects() {
        return manifests.stream().flatMap(each -> each.objects().stream());
    }

    private Json.Obj target(Json.Obj object) {
        var placed = live.placed(
                view.destination().place(),
                object.without("status"),
                view.destination().namespace());
        return Tracking.marked(placed, view.application());
    }

    List<Situation.Hook> hooks(Json.Obj state) {
        if (Operations.skipsHooks(state.object("operation", "sync"))) {
            return List.of();
        }
        var hooks = new ArrayList<Situation.Hook>();
        objects().filter(Marks::isHook).forEach(object -> {
            for (var phase : Marks.phases(object)) {
                var managed = permitted(wanted(target(Operations.named(object, phase, state))));
                var hook = view.settings().exclusions().exclude(managed.key())
                        ? refused(
                                managed,
                                Refusal.Cause.REFUSED,
                                "the hook " + managed.key()
                                        + " would never run: its kind is excluded in the settings (resource.exclusions)")
                        : managed;
                hooks.add(new Situation.Hook(phase, hook));
            }
        });
        return hooks;
    }

    /// @param state of the last operation, which hooks without a name have theirs from
    List<Managed> liveHooks(Json.Obj state) {
        var place = view.destination().place();
        return objects()
                .filter(Marks::isHook)
                .flatMap(object -> Marks.phases(object).stream()
                        .map(phase -> target(Operations.named(object, phase, state)))
                        .distinct())
                .flatMap(target -> live.found(place, ResourceKey.of(target), version(target), view.rules()).stream())
                .filter(managed -> isOwn(view.application(), managed.object()))
                .toList();
    }

    private static String version(Json.Obj object) {
        var apiVersion = object.string("apiVersion");
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /// The phases of a deletion that have hooks.
    Set<String> deletionPhases() {
        return Stream.of(ApplicationDeletion.BEFORE, ApplicationDeletion.AFTER)
                .filter(phase -> objects().anyMatch(object -> Marks.isForDeletion(object, phase)))
                .collect(Collectors.toUnmodifiableSet());
    }

    /// @param moment of the deletion, which names of hooks are made of
    List<Managed> deletionHooks(String phase, Instant moment) {
        return objects()
                .filter(object -> Marks.isForDeletion(object, phase))
                .map(object -> permitted(wanted(target(Operations.named(object, phase, "", moment)))))
                .toList();
    }

    /// One that is there belongs to others as well: only what the application is to say about it is brought about.
    ///
    /// @param results what the sync has done so far: what it made it goes on to look at
    Optional<Managed> namespace(List<Result> results) {
        var name = view.destination().namespace();
        if (name.isEmpty() || !view.options().contains("CreateNamespace=true")) {
            return Optional.empty();
        }
        var more = view.spec().json().object("syncPolicy", "managedNamespaceMetadata");
        var target = Json.Obj.of(
                "apiVersion",
                Json.of("v1"),
                "kind",
                Json.of("Namespace"),
                "metadata",
                more.with("name", Json.of(name)));
        return Optional.of(wanted(target))
                .filter(it -> it.live().isEmpty()
                        || (more.size() > 0 && !it.isSynced())
                        || results.stream()
                                .anyMatch(each -> each.phase() == Phase.PRE_SYNC
                                        && each.key().equals(it.key())));
    }
}
