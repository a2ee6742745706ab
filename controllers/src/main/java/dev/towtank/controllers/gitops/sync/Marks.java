package dev.towtank.controllers.gitops.sync;

import dev.towtank.model.Json;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private static final Set<String> TYPES =
            Set.of("PreSync", "Sync", "PostSync", "SyncFail", "Skip", "PreDelete", "PostDelete");

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

    private static boolean has(Json.Obj object, String name) {
        return object.object("metadata", "annotations").has(name);
    }

    /// Whether the object is no part of the application's state, but something to be done on the way there, or later.
    public static boolean isHook(Json.Obj object) {
        return has(object, HOOK)
                ? !isSkipped(object)
                : has(object, HELM_HOOK) && !annotation(object, HELM_HOOK).equals("crd-install");
    }

    /// Whether nothing is to be done with the object: it says so, and nothing else.
    public static boolean isSkipped(Json.Obj object) {
        return types(object).equals(Set.of("Skip"));
    }

    /// When a hook runs, as far as anybody knows that: Helm's words count where there is none of Argo CD's.
    private static Set<String> types(Json.Obj object) {
        var own = words(object, HOOK).stream().filter(TYPES::contains).collect(Collectors.toSet());
        return own.isEmpty()
                ? words(object, HELM_HOOK).stream()
                        .flatMap(each -> Optional.ofNullable(OF_HELM.get(each)).stream())
                        .collect(Collectors.toSet())
                : own;
    }

    /// The phases in which a hook runs; none for one that is for a deletion, or that nobody knows.
    public static Set<Phase> phases(Json.Obj object) {
        var phases = EnumSet.noneOf(Phase.class);
        types(object).forEach(name -> Phase.read(name).ifPresent(phases::add));
        return phases;
    }

    /// Whether a hook is for a phase of the deletion of its application: `PreDelete` or `PostDelete`.
    public static boolean isForDeletion(Json.Obj object, String phase) {
        return types(object).contains(phase);
    }

    /// What cannot be read as a number counts as if it was not there.
    public static int wave(Json.Obj object) {
        return number(object, "argocd.argoproj.io/sync-wave")
                .or(() -> number(object, "helm.sh/hook-weight"))
                .orElse(0);
    }

    private static Optional<Integer> number(Json.Obj object, String name) {
        try {
            return Optional.of(Integer.valueOf(annotation(object, name)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    public static List<String> options(Json.Obj object) {
        return words(object, "argocd.argoproj.io/sync-options");
    }

    /// Such as `Prune=false`.
    public static boolean hasOption(Json.Obj object, String option) {
        return options(object).contains(option);
    }

    /// The value of an option, such as that of `Prune`; empty where the object says nothing about it.
    public static Optional<String> option(Json.Obj object, String name) {
        return value(options(object), name);
    }

    /// The value of an option among others.
    public static Optional<String> value(Collection<String> options, String name) {
        return options.stream()
                .filter(each -> each.startsWith(name + "="))
                .map(each -> each.substring(name.length() + 1))
                .findFirst();
    }

    public static boolean hasCompareOption(Json.Obj object, String option) {
        return words(object, "argocd.argoproj.io/compare-options").contains(option);
    }

    public static Set<DeletePolicy> deletePolicies(Json.Obj object) {
        var policies = Stream.of("argocd.argoproj.io/hook-delete-policy", "helm.sh/hook-delete-policy")
                .flatMap(name -> words(object, name).stream())
                .flatMap(name -> switch (name) {
                    case "HookSucceeded", "hook-succeeded" -> Stream.of(DeletePolicy.HOOK_SUCCEEDED);
                    case "HookFailed", "hook-failed" -> Stream.of(DeletePolicy.HOOK_FAILED);
                    case "BeforeHookCreation", "before-hook-creation" -> Stream.of(DeletePolicy.BEFORE_HOOK_CREATION);
                    default -> Stream.<DeletePolicy>empty();
                })
                .collect(Collectors.toSet());
        return policies.isEmpty() ? Set.of(DeletePolicy.BEFORE_HOOK_CREATION) : policies;
    }
}
