package dev.towtank.controllers.gitops.sync;

import dev.towtank.model.Json;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the annotations of an object say about how it is synced.
public final class Marks {

    public static final String HOOK_FINALIZER = "argocd.argoproj.io/hook-finalizer";
    public static final String HOOK = "argocd.argoproj.io/hook";
    public static final String OPERATION = "towtank.dev/sync-operation";

    private static final String HELM_HOOK = "helm.sh/hook";
    private static final Map<String, String> OF_HELM = Map.of(
            "pre-install", "PreSync",
            "pre-upgrade", "PreSync",
            "post-install", "PostSync",
            "post-upgrade", "PostSync",
            "pre-delete", "PreDelete",
            "post-delete", "PostDelete");

    private Marks() {}

    public enum DeletePolicy {
        HOOK_SUCCEEDED,
        HOOK_FAILED,
        BEFORE_HOOK_CREATION
    }

    private static String annotation(Json.Obj object, String name) {
        return object.string("metadata", "annotations", name);
    }

    private static List<String> words(Json.Obj object, String name) {
        return Arrays.stream(annotation(object, name).split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /// Whether the object is no part of the application's state, but something to be done on the way there, or later.
    public static boolean isHook(Json.Obj object) {
        if (!annotation(object, HOOK).isEmpty()) {
            return !isSkipped(object);
        }
        var helm = words(object, HELM_HOOK);
        return !helm.isEmpty() && !helm.contains("crd-install");
    }

    /// Whether nothing is to be done with the object.
    public static boolean isSkipped(Json.Obj object) {
        return words(object, HOOK).contains("Skip");
    }

    /// The phases in which a hook runs; none for one that is for a deletion, or that nobody knows.
    public static Set<Phase> phases(Json.Obj object) {
        var own = words(object, HOOK);
        var names = own.isEmpty()
                ? words(object, HELM_HOOK).stream()
                        .map(each -> OF_HELM.getOrDefault(each, each))
                        .toList()
                : own;
        var phases = EnumSet.noneOf(Phase.class);
        names.forEach(name -> Phase.read(name).ifPresent(phases::add));
        return phases;
    }

    /// Whether a hook is for a phase of the deletion of its application: `PreDelete` or `PostDelete`.
    public static boolean isForDeletion(Json.Obj object, String phase) {
        var own = words(object, HOOK);
        return (own.isEmpty() ? words(object, HELM_HOOK) : own)
                .stream().map(each -> OF_HELM.getOrDefault(each, each)).anyMatch(phase::equals);
    }

    /// A number that cannot be read is none.
    public static int wave(Json.Obj object) {
        for (var name : List.of("argocd.argoproj.io/sync-wave", "helm.sh/hook-weight")) {
            var text = annotation(object, name);
            if (!text.isEmpty()) {
                try {
                    return Integer.parseInt(text.strip());
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 0;
    }

    public static List<String> options(Json.Obj object) {
        return words(object, "argocd.argoproj.io/sync-options");
    }

    /// Such as `Prune=false`.
    public static boolean hasOption(Json.Obj object, String option) {
        return options(object).contains(option);
    }

    public static boolean hasCompareOption(Json.Obj object, String option) {
        return words(object, "argocd.argoproj.io/compare-options").contains(option);
    }

    public static Set<DeletePolicy> deletePolicies(Json.Obj object) {
        var names = words(object, "argocd.argoproj.io/hook-delete-policy");
        var policies = (names.isEmpty() ? words(object, "helm.sh/hook-delete-policy") : names)
                .stream()
                        .flatMap(name -> switch (name) {
                            case "HookSucceeded", "hook-succeeded" -> Stream.of(DeletePolicy.HOOK_SUCCEEDED);
                            case "HookFailed", "hook-failed" -> Stream.of(DeletePolicy.HOOK_FAILED);
                            case "BeforeHookCreation", "before-hook-creation" ->
                                Stream.of(DeletePolicy.BEFORE_HOOK_CREATION);
                            default -> Stream.<DeletePolicy>empty();
                        })
                        .collect(Collectors.toSet());
        return policies.isEmpty() ? Set.of(DeletePolicy.BEFORE_HOOK_CREATION) : policies;
    }
}
