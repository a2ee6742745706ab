package dev.towtank.controllers.gitops.sets;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.gitops.diff.Differences;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes the Applications of an ApplicationSet, changes them and takes them away.
public final class SetReconciler implements Reconciler<Json.Obj, SetFacts> {

    private static final String REFRESH = "argocd.argoproj.io/application-set-refresh";
    private static final Set<String> KEPT = Set.of(
            "argocd.argoproj.io/refresh",
            "argocd.argoproj.io/deletion-approved",
            "notified.notifications.argoproj.io",
            "towtank.dev/begun");

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, SetFacts facts, Instant now) {
        var set = primary.object();
        if (facts.isPending()) {
            return Plan.NONE;
        }
        if (!facts.problem().isEmpty()) {
            return told(set, failed(set, facts.problem(), now));
        }
        var there = facts.there().stream().collect(Collectors.toMap(Resource::name, Function.identity()));
        var stranger = facts.wanted().stream()
                .map(each -> there.get(each.string("metadata", "name")))
                .filter(each -> each != null && isOfSomebodyElse(each, set))
                .findFirst();
        if (stranger.isPresent()) {
            return told(
                    set, failed(set, "the application " + stranger.get().name() + " belongs to somebody else", now));
        }
        var plan = new ArrayList<Plan>();
        var policy = set.spec().string("syncPolicy", "applicationsSync");
        var names = new HashSet<String>();
        boolean isRolling = RollingSync.isMeant(set.spec().object("strategy"));
        for (var each : facts.wanted()) {
            var wanted = isRolling ? RollingSync.withoutAutomation(each) : each;
            var name = wanted.string("metadata", "name");
            names.add(name);
            var live = there.get(name);
            if (live == null) {
                plan.add(Plan.none().create(GitOpsKinds.APPLICATION, set.with(wanted)));
            } else if (!live.isDeleting() && !policy.equals("create-only") && !policy.equals("create-delete")) {
                plan.add(changed(set, live, wanted));
            }
        }
        for (var live : facts.there()) {
            boolean isLeftOver = !names.contains(live.name()) && !live.isDeleting();
            if (isLeftOver && !policy.equals("create-only") && !policy.equals("create-update")) {
                plan.add(Plan.none().delete(GitOpsKinds.APPLICATION, live));
            }
        }
        plan.add(isRolling ? rolled(set, facts, now) : told(set, done(set, facts, now)));
        if (set.annotations().containsKey(REFRESH)) {
            plan.add(Plan.none()
                    .patch(
                            GitOpsKinds.APPLICATION_SET,
                            set,
                            Json.Obj.of("metadata", Json.Obj.of("annotations", Json.Obj.of(REFRESH, Json.Null.NULL)))));
        }
        return plan.stream().reduce(Plan.NONE, Plan::then);
    }

    /// Status first: what begins twice because nobody could write it down is the same sync.
    private static Plan rolled(Resource set, SetFacts facts, Instant now) {
        var names = facts.wanted().stream()
                .collect(Collectors.toMap(each -> each.string("metadata", "name"), Function.identity()));
        var live = facts.there().stream()
                .filter(each -> names.containsKey(each.name()) && !each.isDeleting())
                .sorted(Comparator.comparing(Resource::name))
                .toList();
        var decision = new RollingSync(set.spec().object("strategy"), live)
                .decide(set.status().objects("applicationStatus"), now);
        var plan = told(set, done(set, facts, now).with("applicationStatus", decision.statuses()));
        for (var each : decision.begins()) {
            var operation = RollingSync.operation(each, Optional.ofNullable(names.get(each.name())));
            plan = plan.patch(GitOpsKinds.APPLICATION, each, Json.Obj.of("operation", operation));
        }
        return plan;
    }

    private static boolean isOfSomebodyElse(Resource application, Resource set) {
        return application
                .controller()
                .filter(owner -> !owner.uid().equals(set.uid()))
                .isPresent();
    }

    private static Plan changed(Resource set, Resource live, Json.Obj wanted) {
        var rules = set.spec().objects("ignoreApplicationDifferences").stream()
                .map(rule -> rule.with("group", Json.of(GitOpsKinds.GROUP)).with("kind", Json.of("Application")))
                .toList();
        var target = new Differences(rules).respected(wanted, live.json());
        var metadata = Json.Obj.builder();
        for (var field : List.of("labels", "annotations")) {
            var merge = MergeDiff.of(live.metadata().object(field), kept(set, live, target, field));
            if (merge.size() > 0) {
                metadata.put(field, merge);
            }
        }
        if (!live.finalizers().equals(target.array("metadata", "finalizers").strings())) {
            metadata.put("finalizers", target.array("metadata", "finalizers"));
        }
        if (live.controller().isEmpty()) {
            metadata.put("ownerReferences", target.array("metadata", "ownerReferences"));
        }
        var fields = Json.Obj.builder();
        fields.putNonEmpty("metadata", metadata.build());
        fields.putNonEmpty("spec", MergeDiff.of(live.spec(), target.object("spec")));
        var patch = fields.build();
        return patch.size() == 0 ? Plan.NONE : Plan.none().patch(GitOpsKinds.APPLICATION, live, patch);
    }

    /// What the template says, and of what others said that which is to stay.
    private static Json.Obj kept(Resource set, Resource live, Json.Obj target, String field) {
        var preserved = new HashSet<>(set.spec().array("preservedFields", field).strings());
        if (field.equals("annotations")) {
            preserved.addAll(KEPT);
        }
        var all = new TreeMap<String, String>();
        live.metadata().stringMap(field).forEach((key, value) -> {
            if (preserved.contains(key)) {
                all.put(key, value);
            }
        });
        all.putAll(target.stringMap("metadata", field));
        return Json.Obj.ofStrings(all);
    }

    private static Plan told(Resource set, Json.Obj status) {
        return status.equals(set.status())
                ? Plan.NONE
                : Plan.none().setStatus(GitOpsKinds.APPLICATION_SET, set, status);
    }

    private static Json.Obj failed(Resource set, String problem, Instant now) {
        var conditions = new Json.Arr(List.of(
                condition(set, "ErrorOccurred", "True", "ApplicationGenerationFromParamsError", problem, now),
                condition(set, "ParametersGenerated", "False", "ErrorOccurred", problem, now),
                condition(set, "ResourcesUpToDate", "False", "ApplicationGenerationFromParamsError", problem, now)));
        return set.status().with("conditions", conditions);
    }

    private static Json.Obj done(Resource set, SetFacts facts, Instant now) {
        var generated = "Successfully generated parameters for all Applications";
        var conditions = new Json.Arr(List.of(
                condition(
                        set,
                        "ErrorOccurred",
                        "False",
                        "ApplicationSetUpToDate",
                        "All applications have been generated successfully",
                        now),
                condition(set, "ParametersGenerated", "True", "ParametersGenerated", generated, now),
                condition(
                        set,
                        "ResourcesUpToDate",
                        "True",
                        "ApplicationSetUpToDate",
                        "All applications have been generated successfully",
                        now)));
        var there = facts.there().stream().collect(Collectors.toMap(Resource::name, Function.identity()));
        var resources = facts.wanted().stream()
                .<Json>map(wanted -> entry(wanted, there.get(wanted.string("metadata", "name"))))
                .toList();
        return set.status()
                .with("conditions", conditions)
                .with("resources", new Json.Arr(resources))
                .with("resourcesCount", Json.of(resources.size()));
    }

    private static Json.Obj entry(Json.Obj wanted, @Nullable Resource live) {
        var entry = Json.Obj.builder()
                .put("group", GitOpsKinds.GROUP)
                .put("version", "v1alpha1")
                .put("kind", "Application")
                .put("namespace", wanted.string("metadata", "namespace"))
                .put("name", wanted.string("metadata", "name"));
        if (live != null) {
            entry.putNonEmpty("status", live.status().string("sync", "status"));
            entry.putNonEmpty("health", live.status().object("health"));
        }
        return entry.build();
    }

    private static Json.Obj condition(
            Resource set, String type, String status, String reason, String message, Instant now) {
        var since = set.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals(type)
                        && each.string("status").equals(status)
                        && each.string("message").equals(message))
                .findFirst()
                .map(each -> each.string("lastTransitionTime"))
                .orElse(Timestamps.seconds(now));
        return Json.Obj.builder()
                .put("type", type)
                .put("status", status)
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", since)
                .build();
    }
}
