package dev.towtank.app.applications;

import dev.towtank.app.applications.foresight.Omen;
import dev.towtank.controllers.gitops.Preview;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Outline;
import dev.towtank.controllers.gitops.sync.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a sync will do, wave by wave, what it will wait for, and why it would fail.
public final class PlanPage {

    private static final int NAMED = 3;

    /// Kinds of Kubernetes that are done when they are there; of others nobody knows whether they are.
    private static final Set<String> OWN_GROUPS = Set.of("", "apps", "batch", "autoscaling", "policy");

    private final String name;
    private final Preview.Outlook outlook;
    private final List<Omen> omens;
    private final List<String> lines = new ArrayList<>();

    private PlanPage(String name, Preview.Outlook outlook, List<Omen> omens) {
        this.name = name;
        this.outlook = outlook;
        this.omens = omens;
    }

    /// @param omens what can be told besides
    public static List<String> of(String name, Preview.Outlook outlook, List<Omen> omens) {
        return new PlanPage(name, outlook, omens).written();
    }

    /// Whether it would not end well.
    public static boolean isBad(Preview.Outlook outlook, List<Omen> omens) {
        return !outlook.problems().isEmpty()
                || !outlook.outline().failures().isEmpty()
                || omens.stream().anyMatch(omen -> omen.turn() != Omen.Turn.NEEDS);
    }

    private List<String> written() {
        if (!outlook.problems().isEmpty()) {
            lines.add(name + ": nothing can be synced");
            outlook.problems().forEach(each -> lines.add("  " + each));
            return lines;
        }
        var groups = outlook.outline().groups();
        lines.add(name + ": " + summary());
        for (int i = 0; i < groups.size(); i++) {
            group(groups.get(i), i == groups.size() - 1 || groups.get(i + 1).phase() == Phase.SYNC_FAIL);
        }
        failures();
        blind();
        outlook.warnings().forEach(each -> lines.add("  " + each));
        return lines;
    }

    private List<Outline.Entry> entries() {
        return outlook.outline().groups().stream()
                .flatMap(group -> group.entries().stream())
                .toList();
    }

    private String summary() {
        var counts = entries().stream().collect(Collectors.groupingBy(Outline.Entry::verb, Collectors.counting()));
        var parts = new ArrayList<String>();
        for (var verb : Outline.Verb.values()) {
            long count = counts.getOrDefault(verb, 0L);
            if (count > 0) {
                parts.add(count + " " + word(verb));
            }
        }
        int steps = outlook.outline().groups().size();
        return parts.isEmpty()
                ? "nothing to do"
                : String.join(", ", parts) + ", in " + steps + (steps == 1 ? " step" : " steps");
    }

    private static String word(Outline.Verb verb) {
        return switch (verb) {
            case CREATE -> "to create";
            case CHANGE -> "to change";
            case KEEP -> "as wanted";
            case RUN -> "to run";
            case PRUNE -> "to delete";
            case LEAVE -> "left over";
        };
    }

    private static String mark(Outline.Entry entry) {
        return switch (entry.verb()) {
            case CREATE -> "+ ";
            case CHANGE -> "~ ";
            case KEEP -> "= ";
            case RUN -> "> ";
            case PRUNE -> "- ";
            case LEAVE -> "? ";
        };
    }

    private void group(Outline.Group group, boolean isLast) {
        lines.add("  " + group.phase().wire() + (group.wave() == 0 ? "" : ", wave " + group.wave()));
        // Many of a kind are one line.
        var byKind = group.entries().stream()
                .collect(Collectors.groupingBy(
                        entry -> mark(entry) + entry.key().kind(), LinkedHashMap::new, Collectors.toList()));
        byKind.forEach((title, all) -> lines.add("    " + title + " "
                + all.stream().map(Outline.Entry::shownName).collect(Collectors.joining(", "))
                + notes(all.getFirst())));
        var waited = group.entries().stream()
                .filter(entry -> (entry.isHook() || !isLast) && outlook.gates().contains(entry.key()))
                .toList();
        if (!waited.isEmpty()) {
            lines.add("    then waits for " + named(waited));
        }
    }

    private static String notes(Outline.Entry entry) {
        if (entry.verb() == Outline.Verb.LEAVE) {
            return "  (in Git no longer, and not pruned)";
        }
        return Marks.hasOption(entry.object().object(), "SkipHealthCheck=true")
                ? "  (SkipHealthCheck: nobody waits for it)"
                : "";
    }

    private static String named(List<Outline.Entry> entries) {
        Function<Outline.Entry, String> text =
                entry -> entry.key().kind() + " " + entry.shownName() + (entry.isHook() ? " to end" : "");
        var first = entries.stream()
                .sorted(Comparator.comparing(entry -> !entry.isHook()))
                .limit(NAMED)
                .map(text)
                .collect(Collectors.joining(", "));
        return entries.size() > NAMED ? first + " and " + (entries.size() - NAMED) + " more" : first;
    }

    private void failures() {
        var failures = outlook.outline().failures().stream()
                .map(each -> title(each.key()) + ": " + each.message() + cure(each));
        section("It would fail:", Stream.concat(failures, told(Omen.Turn.FAILS)));
        section("It would wait without end:", told(Omen.Turn.WAITS));
        section("It needs what is not in Git:", told(Omen.Turn.NEEDS));
    }

    private Stream<String> told(Omen.Turn turn) {
        return omens.stream().filter(omen -> omen.turn() == turn).map(Omen::text);
    }

    private void section(String title, Stream<String> texts) {
        var all = texts.toList();
        if (!all.isEmpty()) {
            lines.add("  " + title);
            all.forEach(each -> lines.add("    " + each));
        }
    }

    private static String title(ResourceKey key) {
        return key.kind() + " " + key.name();
    }

    private static String cure(Outline.Failure failure) {
        return failure.message().startsWith("The Kubernetes API could not find")
                ? " Put the CRD into the repository, or annotate the object with"
                        + " argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true where something else brings it."
                : "";
    }

    /// What others will not wait for, although it is in an earlier wave than they are.
    private void blind() {
        var groups = outlook.outline().groups();
        for (int i = 0; i < groups.size() - 1; i++) {
            var silent = groups.get(i).entries().stream()
                    .filter(entry -> !entry.isPrune()
                            && !OWN_GROUPS.contains(entry.key().group())
                            && !entry.key().group().endsWith(".k8s.io")
                            && !outlook.gates().contains(entry.key())
                            && !isData(entry.object()))
                    .toList();
            if (!silent.isEmpty()) {
                lines.add("  Nobody can tell when " + named(silent) + " in wave "
                        + groups.get(i).wave() + (silent.size() == 1 ? " is" : " are")
                        + " done: what follows begins as soon as " + (silent.size() == 1 ? "it is" : "they are")
                        + " applied. A health check in argocd-cm (resource.customizations.health."
                        + silent.getFirst().key().group() + "_"
                        + silent.getFirst().key().kind() + ") would change that.");
            }
        }
    }

    /// One whose health is left out on purpose, or that only says how something is to be done.
    private static boolean isData(Managed managed) {
        return Marks.hasOption(managed.object(), "SkipHealthCheck=true")
                || Set.of("Pipeline", "Task", "StepAction", "AppProject")
                        .contains(managed.key().kind());
    }
}
